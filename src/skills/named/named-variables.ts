import { LONGEST_START } from './is-example.ts'

/** Variables that are looked for in a text. */
const MOST = 50

/** Variables that every shell has, or a client. */
const USUAL = /^(?:HOME|PATH|PWD|USER|SHELL|TMPDIR|LANG|CLAUDE_\w+|BASH_\w+)$/u

/** A variable that a person gives a value: a secret, or one whose value stands for another. */
const TO_FILL_IN =
  /(?:^|[\s;])(?:([A-Z][A-Z0-9_]{0,60}(?:KEY|TOKEN|SECRET|PASSWORD))=(?!["']?[$`\(])|([A-Z][A-Z0-9_]{1,60})=["']?(?:[<\[]|\.\.\.|[Xx]{3}|[Yy]our|YOUR))/gv

/** A variable that a script sets, the variable that the value begins with, or one with another value. */
const SET =
  /(?:^|[\s;`])([A-Z][A-Z0-9_]{1,60})=(?=["']?\$\{?(\w{1,61})|)|\$\{([A-Z][A-Z0-9_]{1,60}):[\-=]/gv

/** A line that gives names to values: "store it as `$NAME`", "resolve `NAME`". */
const GIVES = /\b(?:store|save|keep|read|set|resolve|append|add|capture|record|call)\b/iv

/** Endings of variables that are set outside of a conversation. */
const OUTSIDE =
  /(?:KEY|TOKEN|SECRET|PASSWORD|URL|URI|HOST|ENDPOINT|WEBHOOK|SITE|REGION|USERNAME|_USER|CLOUD_ID|CREDENTIALS|CERT|CONNECTION_STRING)$/u

/** Returns the environment variables that a text uses and that somebody else must set. */
export function namedVariables(text: string, script: string): readonly string[] {
  const lines = script.split('\n')
  const toFillIn = [...script.matchAll(TO_FILL_IN)].flatMap(
    ({ 0: all, 1: secret, 2: other = '', index }) => {
      if (secret !== undefined) return secret
      const before = script.slice(Math.max(0, index - 20), index + all.indexOf(other))
      const isStart = /(?:^|[\n;]|export)[ \t]*$/v.test(before)
      return isStart && !/(?:DIR|ROOT|PATH)$/v.test(other) ? other : []
    },
  )
  const assigned = [...script.matchAll(SET)]
  const set = new Set(assigned.map(([, name, from, other]) => (name === from ? other : name)))
  for (const line of lines) {
    const { index } = GIVES.exec(line) ?? {}
    if (index === undefined) continue
    const after = line.slice(index)
    for (const [, name = ''] of after.matchAll(
      /`\$?([A-Z][A-Z0-9_]{1,60})(?:`(?! (?:env|variable))| = )/gv,
    )) {
      if (!OUTSIDE.test(name)) set.add(name)
    }
  }
  const ofItself = new Set(assigned.flatMap(([, name, from]) => (name === from ? name : [])))
  const isOutside = (name: string) =>
    OUTSIDE.test(name) ||
    ofItself.has(name) ||
    lines.some((line) => line.includes(name) && /\b(?:env|environment|export)\b/iv.test(line))
  const expanded = [
    ...script.matchAll(/\$\{?([A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){1,8})\b(?!\$)/gu),
  ].flatMap(({ 1: name = '', index }) => {
    // Escaped, or put into a text of JSON.
    const before = script.slice(Math.max(0, index - 2), index)
    return before.endsWith('\\') || before === `'"` ? [] : name
  })
  const outside = [...new Set(expanded)].slice(0, MOST).filter(isOutside)
  const used = [
    ...outside.map((name) => ['', name] as const),
    ...[...script.matchAll(/\bprocess\.env\.([A-Z][A-Z0-9_]{1,60})/gu)].filter(({ 1: name = '' }) =>
      OUTSIDE.test(name),
    ),
    ...script.matchAll(/\bos\.(?:environ(?:\.get)?[\[\(]|getenv\()["']([A-Z][A-Z0-9_]{1,60})/gv),
    ...[
      ...text.matchAll(
        /`([A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){0,6}_(?:KEY|TOKEN|SECRET|URL|PASSWORD))`/gu,
      ),
    ].filter(({ 1: name = '', index }) => !name.startsWith('DEFAULT_') && !isUnwanted(text, index)),
  ].flatMap(([, name = '']) => (set.has(name) ? [] : name))
  return [...toFillIn, ...used].filter((name) => !USUAL.test(name))
}

/** Returns true for something that its sentence says is not to be used, before it. */
export function isUnwanted(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - LONGEST_START), index)
  const clause = before.split(/[.;\n]/u).at(-1) ?? ''
  return /\b(?:never|not|don't|avoid|instead of|rather than|without|legacy|old|replaces?)\b/iu.test(
    clause.slice(-100),
  )
}
