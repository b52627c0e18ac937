import { type ErrorType, ToolError } from '../../../../src/tools/response/error-type.ts'
import type { ToolContext } from '../../../../src/tools/definition/tool-context.ts'

/** One way of behaving badly, or oddly, and what must come of it. */
export interface BadHandler {
  readonly name: string
  run(context: Pick<ToolContext, 'signal'>): unknown
  /** The error's type, or for a handler that is merely odd its data. */
  readonly expected:
    { readonly error: ErrorType; readonly says: RegExp } | { readonly data: unknown }
}

const fails = (error: ErrorType, says: RegExp): BadHandler['expected'] => ({ error, says })
const gives = (data: unknown): BadHandler['expected'] => ({ data })

const throws =
  (thrown: unknown): (() => never) =>
  () => {
    throw thrown
  }

const failing = (): never => {
  throw new Error('trap')
}

const trapped = <T extends object>(target: T): T =>
  new Proxy(target, {
    get: failing,
    has: failing,
    ownKeys: failing,
    getPrototypeOf: failing,
    getOwnPropertyDescriptor: failing,
    isExtensible: failing,
  })

const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

const cycle = (): object => {
  const node: { next?: unknown } = {}
  node.next = { back: node }
  return { list: [node] }
}

const nested = (levels: number): unknown => {
  let value: unknown = 'bottom'
  for (let level = 0; level < levels; level++) value = [value]
  return value
}

async function* stream(...values: readonly unknown[]): AsyncGenerator {
  for (const value of values) yield value
}

const forgetful = (): unknown => [1, 2].map((number) => Promise.reject(new Error(`${number}`)))

class Order {
  readonly id = 7
  readonly #secret = 'hidden'
  get secret(): string {
    return this.#secret
  }
}

/** Every way a handler has been known, or can be imagined, to misbehave. */
export const BAD_HANDLERS: readonly BadHandler[] = [
  { name: 'throws an error', run: throws(new Error('boom')), expected: fails('INTERNAL', /boom/) },
  { name: 'throws a string', run: throws('boom'), expected: fails('INTERNAL', /threw: boom/) },
  {
    name: 'throws an empty string',
    run: throws(''),
    expected: fails('INTERNAL', /an empty string/),
  },
  { name: 'throws undefined', run: throws(undefined), expected: fails('INTERNAL', /undefined/) },
  { name: 'throws null', run: throws(null), expected: fails('INTERNAL', /null/) },
  { name: 'throws a number', run: throws(42), expected: fails('INTERNAL', /42/) },
  { name: 'throws a symbol', run: throws(Symbol('odd')), expected: fails('INTERNAL', /odd/) },
  { name: 'throws a bigint', run: throws(9n), expected: fails('INTERNAL', /9/) },
  { name: 'throws a function', run: throws(failing), expected: fails('INTERNAL', /a function/) },
  { name: 'throws an empty object', run: throws({}), expected: fails('INTERNAL', /an object/) },
  {
    name: 'throws a frozen error',
    run: throws(Object.freeze(new TypeError('cold'))),
    expected: fails('INTERNAL', /cold/),
  },
  {
    name: 'throws an error whose message throws',
    run: throws(Object.defineProperty(new RangeError(), 'message', { get: failing })),
    expected: fails('INTERNAL', /RangeError/),
  },
  {
    name: 'throws an error whose message is an object',
    run: throws(Object.assign(new Error(), { message: { toString: failing } })),
    expected: fails('INTERNAL', /Error/),
  },
  {
    name: 'throws an AggregateError',
    run: throws(new AggregateError([new Error('one'), 'two'], 'both')),
    expected: fails('INTERNAL', /both \(one; two\)/),
  },
  {
    name: 'throws a proxy',
    run: throws(trapped(new Error())),
    expected: fails('INTERNAL', /object/),
  },
  { name: 'throws a revoked proxy', run: throws(revoked()), expected: fails('INTERNAL', /object/) },
  {
    name: 'throws a message of 10 MB',
    run: throws(new Error('x'.repeat(10_000_000))),
    expected: fails('INTERNAL', /^.{2000,2100}$/),
  },
  {
    name: 'throws a ToolError with odd details',
    run: throws(
      new ToolError('RATE_LIMIT', 'slow down', {
        details: { big: 1n, cycle: cycle(), fine: [1], ['__proto__']: 'own' },
      }),
    ),
    expected: fails('RATE_LIMIT', /slow down/),
  },
  {
    name: 'throws a ToolError whose details are a proxy',
    run: throws(new ToolError('AUTH', 'no', { details: trapped({}) })),
    expected: fails('INTERNAL', /no/),
  },
  {
    name: 'throws a ToolError of an unknown type',
    run: throws(Object.assign(new ToolError('AUTH', 'odd'), { type: 'constructor' })),
    expected: fails('INTERNAL', /odd/),
  },
  {
    name: 'recurses without end',
    run: function again(): unknown {
      return [again()]
    },
    expected: fails('INTERNAL', /call stack/),
  },
  {
    name: 'rejects',
    run: () => Promise.reject(new Error('later')),
    expected: fails('INTERNAL', /later/),
  },
  {
    name: 'rejects with undefined',
    run: () => Promise.reject(undefined),
    expected: fails('INTERNAL', /undefined/),
  },
  { name: 'never settles', run: () => new Promise(() => {}), expected: fails('TIMEOUT', /within/) },
  {
    name: 'hangs until its signal is aborted, then rejects',
    run: ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      }),
    expected: fails('TIMEOUT', /within/),
  },
  {
    name: 'hangs until its signal is aborted, then resolves',
    run: ({ signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve('too late'))
      }),
    expected: fails('TIMEOUT', /within/),
  },
  {
    name: 'hangs until its signal is aborted, then calls back and throws',
    run: ({ signal }) => ({
      then(resolve: (value: unknown) => void) {
        signal.addEventListener('abort', () => resolve(Promise.reject(new Error('late'))))
      },
    }),
    expected: fails('TIMEOUT', /within/),
  },
  {
    name: 'settles twice',
    run: () =>
      new Promise((resolve, reject) => {
        resolve('first')
        reject(new Error('second'))
      }),
    expected: gives('first'),
  },
  {
    name: 'returns a promise of a promise',
    run: () => Promise.resolve(Promise.resolve(1)),
    expected: gives(1),
  },
  {
    name: 'returns a thenable',
    run: () => ({ then: (resolve: (value: unknown) => void) => resolve('then') }),
    expected: gives('then'),
  },
  {
    name: 'returns a thenable that calls back twice',
    run: () => ({
      then(resolve: (value: unknown) => void, reject: (thrown: unknown) => void) {
        resolve('first')
        resolve('second')
        reject(new Error('third'))
      },
    }),
    expected: gives('first'),
  },
  {
    name: 'returns a thenable that calls back with a promise, then again',
    run: () => ({
      then(resolve: (value: unknown) => void) {
        resolve(Promise.resolve('first'))
        resolve('second')
      },
    }),
    expected: gives('first'),
  },
  {
    name: 'returns a thenable that never calls back',
    run: () => ({ then() {} }),
    expected: fails('TIMEOUT', /within/),
  },
  {
    name: 'returns a thenable that throws',
    run: () => ({ then: failing }),
    expected: fails('INTERNAL', /trap/),
  },
  {
    name: 'returns a thenable that throws after calling back',
    run: () => ({
      then(resolve: (value: unknown) => void) {
        resolve('first')
        failing()
      },
    }),
    expected: gives('first'),
  },
  {
    name: 'returns an object whose then throws when read',
    run: () => Object.defineProperty({}, 'then', { get: failing }),
    expected: fails('INTERNAL', /trap/),
  },
  {
    name: 'returns a proxy that throws',
    run: () => trapped({}),
    expected: fails('INTERNAL', /trap/),
  },
  {
    name: 'returns a proxy inside',
    run: () => ({ rows: [trapped({})] }),
    expected: fails('BAD_OUTPUT', /trap.*\/rows\/0/),
  },
  { name: 'returns a revoked proxy', run: revoked, expected: fails('INTERNAL', /revoked/) },
  {
    name: 'returns a revoked proxy inside',
    run: () => [revoked()],
    expected: fails('BAD_OUTPUT', /revoked/),
  },
  {
    name: 'returns an array proxy without a length',
    run: () =>
      new Proxy([1, 2], {
        get: (target, key) => (key === 'length' ? NaN : Reflect.get(target, key)),
      }),
    expected: gives([]),
  },
  {
    name: 'returns a proxy without a bottom',
    run: () => {
      const deep: object = new Proxy(
        { a: 1 },
        { get: (_, key) => (key === 'a' ? new Proxy({ a: deep }, {}) : undefined) },
      )
      return deep
    },
    expected: fails('BAD_OUTPUT', /cycle|levels/),
  },
  {
    name: 'returns a bigint',
    run: () => 1n,
    expected: fails('BAD_OUTPUT', /a bigint.*String\(value\)/),
  },
  {
    name: 'returns a bigint inside',
    run: () => ({ rows: [{ id: 1n }] }),
    expected: fails('BAD_OUTPUT', /\/rows\/0\/id/),
  },
  {
    name: 'returns a cycle',
    run: cycle,
    expected: fails('BAD_OUTPUT', /a cycle.*\/list\/0\/next\/back/),
  },
  { name: 'returns a function', run: () => failing, expected: fails('BAD_OUTPUT', /a function/) },
  {
    name: 'returns a method',
    run: () => ({ a: { run: failing } }),
    expected: fails('BAD_OUTPUT', /a function.*\/a\/run/),
  },
  {
    name: 'returns a symbol',
    run: () => [Symbol('s')],
    expected: fails('BAD_OUTPUT', /a symbol.*\/0/),
  },
  { name: 'returns NaN', run: () => ({ mean: NaN }), expected: fails('BAD_OUTPUT', /NaN.*\/mean/) },
  { name: 'returns infinity', run: () => -Infinity, expected: fails('BAD_OUTPUT', /-Infinity/) },
  { name: 'returns minus zero', run: () => -0, expected: gives(0) },
  {
    name: 'returns a Map',
    run: () => new Map([['a', 1]]),
    expected: fails('BAD_OUTPUT', /a Map.*fromEntries/),
  },
  {
    name: 'returns a Set',
    run: () => ({ tags: new Set(['a']) }),
    expected: fails('BAD_OUTPUT', /a Set.*\/tags/),
  },
  {
    name: 'returns a Buffer',
    run: () => Buffer.from('a'),
    expected: fails('BAD_OUTPUT', /binary.*part/),
  },
  {
    name: 'returns a typed array',
    run: () => [new Float64Array(3)],
    expected: fails('BAD_OUTPUT', /binary/),
  },
  {
    name: 'returns an ArrayBuffer',
    run: () => new ArrayBuffer(3),
    expected: fails('BAD_OUTPUT', /binary/),
  },
  {
    name: 'returns a regular expression',
    run: () => /a/,
    expected: fails('BAD_OUTPUT', /class RegExp/),
  },
  {
    name: 'returns a Response',
    run: () => Response.json({ a: 1 }),
    expected: fails('BAD_OUTPUT', /an object of the class Response without properties.*json\(\)/),
  },
  {
    name: 'returns a Blob in a list',
    run: () => ({ files: [new Blob(['a'])] }),
    expected: fails('BAD_OUTPUT', /class Blob.*\/files\/0/),
  },
  {
    name: 'returns an object of a class whose state is private',
    run: () =>
      new (class Total {
        readonly #sum = 1
        get sum() {
          return this.#sum
        }
      })(),
    expected: fails('BAD_OUTPUT', /class Total without properties/),
  },
  {
    name: 'returns an object of a class with properties',
    run: () =>
      new (class Total {
        readonly sum = 1
      })(),
    expected: gives({ sum: 1 }),
  },
  {
    name: 'returns an empty object without a prototype',
    run: () => Object.create(null),
    expected: gives({}),
  },
  {
    name: 'returns a boxed number',
    run: () => [Object(1)],
    expected: fails('BAD_OUTPUT', /class Number/),
  },
  {
    name: 'returns an error',
    run: () => new Error('as a value'),
    expected: fails('BAD_OUTPUT', /an Error.*Throw it/),
  },
  {
    name: 'returns text of 100 MB',
    run: () => 'x'.repeat(100_000_000),
    expected: fails('BAD_OUTPUT', /larger than 10000 bytes/),
  },
  {
    name: 'returns a key of 100 MB',
    run: () => ({ ['x'.repeat(100_000_000)]: 1 }),
    expected: fails('BAD_OUTPUT', /larger than 10000 bytes/),
  },
  {
    name: 'returns a list of 100 MB',
    run: () => new Array(100).fill('x'.repeat(1_000_000)),
    expected: fails('BAD_OUTPUT', /larger/),
  },
  {
    name: 'returns a list of four billion holes',
    run: () => new Array(2 ** 32 - 1),
    expected: fails('BAD_OUTPUT', /larger/),
  },
  {
    name: 'returns a small value that repeats itself 2^60 times',
    run: () => {
      let value: unknown = []
      for (let level = 0; level < 60; level++) value = [value, value]
      return value
    },
    expected: fails('BAD_OUTPUT', /larger/),
  },
  {
    name: 'returns 10,000 levels',
    run: () => nested(10_000),
    expected: fails('BAD_OUTPUT', /100 levels/),
  },
  {
    name: 'returns a getter that throws',
    run: () => ({
      get a() {
        return failing()
      },
    }),
    expected: fails('BAD_OUTPUT', /trap/),
  },
  {
    name: 'returns a getter that changes',
    run: () => {
      let reads = 0
      return {
        get a() {
          return reads++ === 0 ? 'first' : 1n
        },
      }
    },
    expected: gives({ a: 'first' }),
  },
  {
    name: 'returns a toJSON that throws',
    run: () => [{ toJSON: failing }],
    expected: fails('BAD_OUTPUT', /trap.*\/0/),
  },
  {
    name: 'returns a toJSON that gives a function',
    run: () => ({ toJSON: () => failing }),
    expected: fails('BAD_OUTPUT', /a function/),
  },
  {
    name: 'returns a toJSON that gives itself',
    run: () => ({
      a: 1,
      toJSON() {
        return this
      },
    }),
    expected: fails('BAD_OUTPUT', /a cycle/),
  },
  {
    name: 'returns a toJSON without a bottom',
    run: function deeper(): unknown {
      return { toJSON: deeper }
    },
    expected: fails('BAD_OUTPUT', /100 levels/),
  },
  {
    name: 'forgets Promise.all',
    run: forgetful,
    expected: fails('BAD_OUTPUT', /a promise.*Promise\.all/),
  },
  {
    name: 'forgets to await deep inside',
    run: () => ({ a: 1n, b: { c: forgetful() } }),
    expected: fails('BAD_OUTPUT', /a bigint/),
  },
  { name: 'returns a class instance', run: () => new Order(), expected: gives({ id: 7 }) },
  {
    name: 'returns a Date',
    run: () => [new Date(0)],
    expected: gives(['1970-01-01T00:00:00.000Z']),
  },
  {
    name: 'returns an invalid Date',
    run: () => ({ rows: [{ at: new Date('soon') }] }),
    expected: fails('BAD_OUTPUT', /an invalid date.*\/rows\/0\/at/),
  },
  {
    name: 'returns a URL',
    run: () => new URL('https://a.example/'),
    expected: gives('https://a.example/'),
  },
  {
    name: 'returns URL parameters',
    run: () => new URLSearchParams('a=1'),
    expected: fails('BAD_OUTPUT', /iterable/),
  },
  { name: 'returns undefined', run: () => undefined, expected: gives(null) },
  {
    name: 'returns undefined members',
    run: () => ({ a: undefined, b: [undefined] }),
    expected: gives({ b: [null] }),
  },
  { name: 'returns a sparse array', run: () => [1, , 3], expected: gives([1, null, 3]) }, // eslint-disable-line no-sparse-arrays
  {
    name: 'returns a key named __proto__',
    run: () => JSON.parse('{"__proto__":{"a":1},"constructor":2}'),
    expected: gives(JSON.parse('{"__proto__":{"a":1},"constructor":2}')),
  },
  {
    name: 'returns a generator',
    run: function* () {
      yield 1
    },
    expected: fails('BAD_OUTPUT', /generator/),
  },
  {
    name: 'hides an async generator in its data',
    run: () => ({ rows: stream(1) }),
    expected: fails('BAD_OUTPUT', /stream/),
  },
  { name: 'streams, and returns nothing', run: () => stream(1, 2), expected: gives(2) },
  { name: 'streams nothing', run: () => stream(), expected: gives(null) },
  { name: 'resolves with a stream', run: async () => stream({ a: 1 }), expected: gives({ a: 1 }) },
  {
    name: 'streams, and returns something else',
    run: async function* () {
      yield await Promise.resolve('almost')
      return { done: true }
    },
    expected: gives({ done: true }),
  },
  {
    name: 'streams envelopes',
    run: () => stream({ ok: true, data: 1 }, { ok: true, data: undefined }),
    expected: gives(null),
  },
  {
    name: 'streams a failure last',
    run: () => stream(1, { ok: false, error: { type: 'CONFLICT', message: 'taken' } }),
    expected: fails('CONFLICT', /^taken$/),
  },
  {
    name: 'streams without an end, and without a pause',
    run: () => ({
      [Symbol.asyncIterator]: () => ({ next: () => ({ done: false, value: 1 }) }),
    }),
    expected: fails('BAD_OUTPUT', /The handler streamed more than 10(?:,?000)? outputs\. Yield/),
  },
  {
    name: 'streams too much',
    run: () => stream(...Array.from({ length: 9 }, () => 'x'.repeat(9_000))),
    expected: fails('BAD_OUTPUT', /streamed more than 20000 bytes of JSON/),
  },
  {
    name: 'streams one value that is too large',
    run: () => stream(1, 'x'.repeat(11_000)),
    expected: fails('BAD_OUTPUT', /number 2\) that is larger than 10000 bytes/),
  },
  {
    name: 'streams what JSON cannot carry',
    run: () => stream({ a: [1n] }),
    expected: fails('BAD_OUTPUT', /number 1\) that holds a bigint.*at \/a\/0/),
  },
  {
    name: 'streams promises that reject',
    run: async function* () {
      yield [Promise.reject(new Error('inner'))]
    },
    expected: fails('BAD_OUTPUT', /a promise/),
  },
  {
    name: 'streams, and throws',
    run: async function* () {
      yield await Promise.resolve(1)
      throw new ToolError('CONFLICT', 'half way')
    },
    expected: fails('CONFLICT', /^half way$/),
  },
  {
    name: 'streams, and hangs',
    run: async function* () {
      yield await Promise.resolve(1)
      await new Promise(() => {})
    },
    expected: fails('TIMEOUT', /did not finish/),
  },
  {
    name: 'streams, hangs, and throws when it is ended',
    run: () => ({
      [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}), return: failing }),
    }),
    expected: fails('TIMEOUT', /did not finish/),
  },
  {
    name: 'streams, hangs, and rejects when it is ended',
    run: () => ({
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => {}),
        return: () => Promise.reject(new Error('not now')),
      }),
    }),
    expected: fails('TIMEOUT', /did not finish/),
  },
  {
    name: 'returns a stream that is never written to',
    run: () => new ReadableStream(),
    expected: fails('TIMEOUT', /did not finish/),
  },
  {
    name: 'returns a stream of bytes',
    run: () => new Blob(['text']).stream(),
    expected: fails('BAD_OUTPUT', /binary data/),
  },
  {
    name: 'returns a stream that cannot be opened',
    run: () => ({ [Symbol.asyncIterator]: failing }),
    expected: fails('INTERNAL', /trap/),
  },
  {
    name: 'returns a stream that opens as nothing',
    run: () => ({ [Symbol.asyncIterator]: () => undefined }),
    expected: fails('INTERNAL', /./),
  },
  {
    name: 'streams steps that throw when they are read',
    run: () => ({ [Symbol.asyncIterator]: () => ({ next: () => trapped({}) }) }),
    expected: fails('INTERNAL', /trap/),
  },
  {
    name: 'returns what only looks like an envelope',
    run: () => ({ ok: true, channel: 'C1' }),
    expected: gives({ ok: true, channel: 'C1' }),
  },
  {
    name: 'returns a failure of some web service',
    run: () => ({ ok: false, error: 'not_found' }),
    expected: gives({ ok: false, error: 'not_found' }),
  },
  {
    name: 'returns an envelope whose intents are text',
    run: () => ({ ok: true, data: 1, intents: 'now', meta: {} }),
    expected: gives(1),
  },
  {
    name: 'returns garbage among its intents',
    run: () => ({ ok: true, data: 1, intents: [null] }),
    expected: gives(1),
  },
  {
    name: 'returns an intent for an unknown moment',
    run: () => ({ ok: true, data: 1, intents: [{ type: 'A', when: 'soon' }] }),
    expected: gives(1),
  },
  {
    name: 'returns an intent with a bigint',
    run: () => ({ ok: true, data: 1, intents: [{ type: 'A', when: 'now', payload: 1n }] }),
    expected: gives(1),
  },
  {
    name: 'returns a failure of an unknown type',
    run: () => ({ ok: false, error: { type: 'toString', message: 'odd' } }),
    expected: fails('INTERNAL', /odd/),
  },
  {
    name: 'returns a failure without a message',
    run: () => ({ ok: false, error: { type: 'AUTH', message: 7, retryable: 'yes' } }),
    expected: fails('BAD_OUTPUT', /\/error\/message must be text/),
  },
]
