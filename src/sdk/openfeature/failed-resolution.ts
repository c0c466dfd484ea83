/** The fallback as what a flag resolves to, and why. */
export const failedResolution = <T, Code>(fallback: T, errorCode: Code, errorMessage: string) => ({
  value: fallback,
  reason: 'ERROR',
  errorCode,
  errorMessage,
});
