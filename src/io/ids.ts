const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * Makes a source of ULIDs that only go up: 48 bits of time (ms), 80 bits of randomness, which counts up
 * within one millisecond and whenever the clock moves back.
 */
export function ulidSource(now: () => number): () => string {
  let lastTime = -1;
  const random = new Uint8Array(16); // one digit of base 32 a byte
  return () => {
    const time = now();
    if (time > lastTime) {
      lastTime = time;
      crypto.getRandomValues(random);
      for (let i = 0; i < random.length; i++) random[i]! &= 31;
      random[0]! &= 15; // room to count up without overflow
    } else {
      let i = random.length - 1;
      while (random[i] === 31) random[i--] = 0;
      random[i]!++;
    }
    return encodeTime(lastTime) + Array.from(random, (digit) => alphabet[digit]).join("");
  };
}

/** The time (Unix ms) that a ULID was made at, or undefined for a text that is none. */
export function timeOfUlid(id: string): number | undefined {
  if (!/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(id)) return undefined;
  let time = 0;
  for (const digit of id.slice(0, 10)) time = time * 32 + alphabet.indexOf(digit);
  return time;
}

function encodeTime(time: number): string {
  let text = "";
  for (let i = 0; i < 10; i++) {
    text = alphabet[time % 32] + text;
    time = Math.floor(time / 32);
  }
  return text;
}

/** A random word that nobody guesses: 128 bits, hex. */
export function newNonce(): string {
  return crypto.getRandomValues(new Uint8Array(16)).toHex();
}
