/** A request over HTTP, sent by POST. */
export interface Post {
  do: "post";
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Key for the HMAC signature, added where it is sent. */
  secret?: string;
  /** Words of the body that no error may show. */
  hidden?: string[];
}

/** A mail that is handed to a mail server. */
export interface Mail {
  do: "mail";
  host: string;
  port: number;
  tls: "starttls" | "tls" | "off";
  username?: string;
  password?: string;
  from: string;
  to: string[];
  subject: string;
  text: string;
  /** The full name of this machine, with which it greets the server. */
  name?: string;
}

/** A mail that a program of this machine takes. */
export interface Sendmail {
  do: "sendmail";
  path: string;
  from?: string;
  to: string[];
  /** The whole message after RFC 5322, lines ended by LF. */
  text: string;
}

/** What leaves the machine for one receiver. */
export type Outgoing = Post | Mail | Sendmail;
