import process from "node:process";
import { type Key, render, useInput } from "ink";
// @ts-types="@types/react"
import { createElement, type ReactElement, useSyncExternalStore } from "react";
import { ScreenView } from "./screen.ts";
import type { Store } from "./store.ts";

/** How the screen is drawn, and who hears of keys. */
export interface ScreenOptions {
  isColoured: boolean;
  onKey: (input: string, key: Key) => void;
}

/** Takes the whole screen and shows what a store holds; answers how to give it back. */
export function mountScreen(store: Store, options: ScreenOptions): () => void {
  const { unmount } = render(createElement(Main, { store, ...options }), {
    stdout: process.stdout,
    stdin: process.stdin,
    alternateScreen: true,
    exitOnCtrlC: false,
    patchConsole: false,
    incrementalRendering: true,
    // It is a terminal, also in the environment of a build.
    interactive: true,
    maxFps: 20,
  });
  return () => unmount();
}

function Main({ store, isColoured, onKey }: ScreenOptions & { store: Store }): ReactElement {
  const state = useSyncExternalStore(store.subscribe, store.get);
  useInput(onKey);
  return createElement(ScreenView, { state, isColoured });
}
