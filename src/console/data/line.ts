import { told } from './told.js';

const cutOff = told(false);

/** Called after every request: whether it got no answer. */
export const tellLine = (isBroken: boolean): void => cutOff.set(isBroken);

/** Whether the server gave no answer when it was last asked. */
export const useIsCutOff = (): boolean => cutOff.use();
