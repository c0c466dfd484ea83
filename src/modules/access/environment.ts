import { ENVIRONMENTS } from '../../kernel/actor.js';
import { enumFilter } from '../../kernel/lists/field-filters.js';
import { enumType } from '../../kernel/values/enum-type.js';

export const EnvironmentType = enumType('Environment', ENVIRONMENTS);

export const EnvironmentFilter = enumFilter(EnvironmentType, 'Environment');
