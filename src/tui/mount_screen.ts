import process from "node:process";
import { type Key, render, useInput, usePaste } from "ink";
// @ts-types="@types/react"
import { createElement, type ReactElement, useSyncExternalStore } from "react";
import { ScreenView } from "./screen.ts";
import type { Store } from "./store.ts";

/** How the screen is drawn, and who hears of keys. */
export interface ScreenOptions {
  isColoured: boolean;
  stdin: typeof process.stdin;
  onKey: (input: string, key: Key) => void;
  onPaste: (text: string) => void;
  /** Called once a view has thrown: nothing is drawn any more then. */
  onFail: (error: unknown) => void;
}

/** Takes the whole screen and shows what a store holds; answers how to give it back. */
export function mountScreen(store: Store, options: ScreenOptions): () => void {
  const { unmount, waitUntilExit } = render(createElement(Main, { store, ...options }), {
    stdout: process.stdout,
    stdin: options.stdin,
    alternateScreen: true,
    exitOnCtrlC: false,
    patchConsole: false,
    incrementalRendering: true,
    // It is a terminal, also in the environment of a build.
    interactive: true,
    maxFps: 20,
  });
  waitUntilExit().catch(options.onFail);
  return () => unmount();
}

function Main({ store, isColoured, onKey, onPaste }: ScreenOptions & { store: Store }): ReactElement {
  const state = useSyncExternalStore(store.subscribe, store.get);
  useInput(onKey);
  usePaste(onPaste);
  return createElement(ScreenView, { state, isColoured });
}
