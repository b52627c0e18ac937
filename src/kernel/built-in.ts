import type * as Util from 'node:util'

/** Returns a module of Node; undefined in a runtime without it, such as a browser. */
export function builtIn<Module>(name: string): Module | undefined {
  const { process } = globalThis as { process?: Partial<NodeJS.Process> }
  return process?.getBuiltinModule?.(`node:${name}`) as Module | undefined
}

/** Writes a warning that no caller hears of. */
export function warn(
  message: string,
  options: { readonly type: string; readonly detail?: string },
) {
  const { process } = globalThis as { process?: Partial<NodeJS.Process> }
  if (process?.emitWarning) process.emitWarning(message, options)
  else console.warn(`${options.type}: ${message}`, options.detail ?? '')
}

const is =
  (type: abstract new (...given: never) => unknown) =>
  (value: unknown): boolean =>
    value instanceof type

/** The kinds of values, also of those from another context. Outside of Node, no proxy is recognised. */
export const types = (builtIn<typeof Util>('util')?.types ?? {
  isProxy: () => false,
  isNativeError: is(Error),
  isMap: is(Map),
  isSet: is(Set),
  isDate: is(Date),
  isPromise: is(Promise),
  isAnyArrayBuffer: is(ArrayBuffer),
  isUint8Array: is(Uint8Array),
  isGeneratorObject: (value: unknown) =>
    Object.prototype.toString.call(value) === '[object Generator]',
}) as typeof Util.types
