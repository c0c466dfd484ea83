import { registerEnumType } from 'type-graphql';
import { enumFilter } from '../../kernel/lists/field-filters.js';

export const EnvironmentType = { live: 'live', test: 'test' } as const;
registerEnumType(EnvironmentType, { name: 'Environment' });

export const EnvironmentFilter = enumFilter(EnvironmentType, 'Environment');
