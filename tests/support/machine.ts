/** What tests ask of the machine itself, without the program under test. */

/** Run ids that living processes carry in their environment. */
export async function livingCarriers(): Promise<string[]> {
  const ids: string[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const environment = await Deno.readTextFile(`/proc/${name}/environ`).catch(() => "");
    const id = /(?:^|\0)SVC_RUN_ID=(\w+)/.exec(environment)?.[1];
    if (id !== undefined) ids.push(id);
  }
  return ids;
}

/** Asks again until the answer is yes; throws after 20 s, or `within` so many. */
export async function until(
  what: string,
  answer: () => Promise<boolean>,
  { within = 20 }: { within?: number } = {},
): Promise<void> {
  const deadline = Date.now() + within * 1000;
  while (!(await answer())) {
    if (Date.now() > deadline) throw new Error(`not within ${within} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
