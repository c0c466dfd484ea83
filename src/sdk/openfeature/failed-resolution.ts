/** Resolves a flag to the fallback, with a reason. */
export const failedResolution = <T, Code>(fallback: T, errorCode: Code, errorMessage: string) => ({
  value: fallback,
  reason: 'ERROR',
  errorCode,
  errorMessage,
});
