// The parts of the vendored modules that the page uses, for the checker of types; the modules themselves are in vendor/.
declare module "preact" {
  export function h(type: any, props: any, ...children: any[]): any;
  export function render(what: any, into: HTMLElement): void;
}
declare module "preact/hooks" {
  export function useState<T>(first: T): [T, (next: T | ((before: T) => T)) => void];
  export function useEffect(act: () => void | (() => void), inputs?: any[]): void;
  export function useMemo<T>(make: () => T, inputs: any[]): T;
  export function useRef<T>(first: T): { current: T };
}
declare module "@preact/signals" {
  export interface ReadonlySignal<T> { readonly value: T; peek(): T; }
  export interface Signal<T> { value: T; peek(): T; }
  export function signal<T>(value: T): Signal<T>;
  export function computed<T>(make: () => T): ReadonlySignal<T>;
  export function effect(act: () => void | (() => void)): () => void;
  export function batch(act: () => void): void;
}
declare module "htm" {
  const htm: { bind(h: any): any };
  export default htm;
}
