import type { ExtractSchema } from "@hono/hono/types";
import type { App } from "../../src/http/app.ts";

/** All routes of the daemon by path, as the router knows them: `/api/tasks/:taskName/next`. */
type Routes = ExtractSchema<App>;
interface Methods {
  GET: "$get";
  POST: "$post";
}
type Method = keyof Methods;

/** The paths that answer a method. */
export type PathOf<M extends Method> = {
  [P in keyof Routes]: Methods[M] extends keyof Routes[P] ? P : never;
}[keyof Routes];

/** All paths. */
export type AnyPath = PathOf<"GET"> | PathOf<"POST">;
/** The method of a path that answers one of them; GET of one that answers both. */
export type MethodOf<P extends AnyPath> = P extends PathOf<"GET"> ? "GET" : "POST";

type Endpoint<M extends Method, P extends AnyPath> = Routes[P] extends Record<Methods[M], infer E> ? E
  : never;
type Input<M extends Method, P extends AnyPath> = Endpoint<M, P> extends { input: infer I } ? I : never;
type Part<I, K extends string> = I extends unknown ? K extends keyof I ? I[K] : never : never;

/** A value of a query: numbers and booleans are written as texts. */
type Written<V> = V extends "true" | "false" | "0" | "1" ? boolean
  : V extends string ? string extends V ? string | number : V
  : V;
type Loose<Q> = { [K in keyof Q]: Written<Q[K]> | undefined };
type Frozen<T> = T extends readonly (infer I)[] ? readonly Frozen<I>[]
  : T extends object ? { readonly [K in keyof T]: Frozen<T[K]> }
  : T;

/** What a path takes as its query; what is undefined or "" is left out. */
export type QueryOf<P extends PathOf<"GET">> = Loose<Part<Input<"GET", P>, "query">>;
/** What a path takes as its body. */
export type BodyOf<P extends PathOf<"POST">> = Frozen<NonNullable<Part<Input<"POST", P>, "json">>>;

/** The parameters of a path and its query, together. */
export type Values<M extends Method, P extends AnyPath> =
  & Known<Part<Input<M, P>, "param">>
  & Known<Loose<Part<Input<M, P>, "query">>>;
type Known<V> = [V] extends [never] ? unknown : V;

/** What is said to a path beside the method; left out where nothing of it has to be there. */
export type Said<M extends Method, P extends AnyPath> = Partial<Values<M, P>> extends Values<M, P>
  ? [values?: Values<M, P>]
  : [values: Values<M, P>];
/** The same of a path that takes a body. */
export type Sent<P extends PathOf<"POST">> = [BodyOf<P>] extends [never] ? Said<"POST", P>
  : Partial<BodyOf<P>> extends BodyOf<P> ? [...Said<"POST", P>, body?: BodyOf<P> | undefined]
  : [values: Values<"POST", P>, body: BodyOf<P>];

type Success<E> = E extends { status: infer S; output: infer O }
  ? [S] extends [200 | 201 | 202] ? O : [S] extends [204] ? undefined : never
  : never;
/** What a path answers when it refuses nothing; undefined for an answer without a body. */
export type Answer<M extends Method, P extends AnyPath> = Success<Endpoint<M, P>>;
