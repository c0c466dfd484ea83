import { told } from './told.js';

const cutOff = told(false);

/** Called with every answer: whether it was none. */
export const tellLine = (isBroken: boolean): void => cutOff.set(isBroken);

/** Whether the server gave no answer when it was asked last. */
export const useIsCutOff = (): boolean => cutOff.use();
