import type { Page } from 'playwright-core';

/** The names of the input fields sent by the next mutation of this name, besides the object's id and version. */
export async function sentBy(page: Page, mutation: string, act: () => Promise<void>): Promise<string[]> {
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.postData()?.includes(`mutation ${mutation}(`) === true),
    act(),
  ]);
  const { variables } = request.postDataJSON() as { variables: { input: Record<string, unknown> } };
  return Object.keys(variables.input).filter((name) => !/^(?:id|flagId|expectedVersion)$/.test(name));
}

/** Holds back requests for an operation, such as `mutation UpdateFlag` or `query FlagByKey`, until the returned function is called. */
export async function holdBack(page: Page, operation: string): Promise<() => void> {
  const answers = Promise.withResolvers<void>();
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes(`${operation}(`)) await answers.promise;
    await route.fallback();
  });
  return answers.resolve;
}
