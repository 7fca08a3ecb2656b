import type { Mail, Post } from "./outgoing.ts";
import type { Verdict } from "./verdict.ts";

/** The verdict without a word of the delivery that is nobody's business, should the receiver have repeated it. */
export function withoutSecrets(verdict: Verdict, outgoing: Post | Mail): Verdict {
  if (verdict.is === "sent") return verdict;
  let { why } = verdict;
  for (const secret of secretsOf(outgoing)) why = why.replaceAll(secret, "***");
  return { ...verdict, why };
}

/** Longest first, so that no part of one is left over. Shorter ones would hide ordinary words. */
function secretsOf(outgoing: Post | Mail): string[] {
  const found = outgoing.do === "post" ? ofPost(outgoing) : ofMail(outgoing);
  return [...new Set(found.flatMap((word) => [word, decoded(word)]))].filter(({ length }) => length >= 4)
    .sort((a, b) => b.length - a.length);
}

function ofPost({ url, headers, secret = "", hidden = [] }: Post): string[] {
  const { username, password, pathname, searchParams, search } = new URL(url);
  return [
    url,
    username,
    password,
    search.slice(1),
    ...searchParams.values(),
    // With its slash: a short path may be an ordinary word.
    pathname,
    ...[pathname.slice(1), ...pathname.split("/")].filter(isToken),
    ...Object.entries(headers).flatMap(([name, value]) =>
      name === "content-type" ? [] : [value, value.replace(/^\w+ +/, "")]
    ),
    secret,
    ...hidden,
  ];
}

function ofMail({ username = "", password = "" }: Mail): string[] {
  if (password === "") return [];
  // As a server would repeat a command that it does not understand.
  const forms = [password, `\0${username}\0${password}`].map((text) =>
    new TextEncoder().encode(text).toBase64()
  );
  return [password, ...forms];
}

/** Ordinary parts of a path are words; the secret ones of a chat's webhook have digits. */
function isToken(part: string): boolean {
  return part.length >= 8 && /\d/.test(part);
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}
