import { LONGEST_START } from './is-example.ts'

/** Variables that are looked for in a text. */
const MOST = 50

/** Variables that every shell has, or a client. */
const USUAL = /^(?:HOME|PATH|PWD|USER|SHELL|TMPDIR|LANG|CLAUDE_\w+|BASH_\w+)$/u

/** A variable that a person gives a value: a secret, or one whose value stands for another. */
const TO_FILL_IN =
  /(?:^|[\s;])(?:([A-Z][A-Z0-9_]{0,60}(?:KEY|TOKEN|SECRET|PASSWORD))=(?!["']?[$`\(])|(?<=(?:^|\n|;|export)[ \t]{0,12})([A-Z][A-Z0-9_]{1,60})(?<!DIR|ROOT|PATH)=["']?(?:[<\[]|\.\.\.|[Xx]{3}|[Yy]our|YOUR))/gv

/** A variable that a script sets, the variable that the value begins with, or one with another value. */
const SET =
  /(?:^|[\s;`])([A-Z][A-Z0-9_]{1,60})=(?=["']?\$\{?(\w{1,61})|)|\$\{([A-Z][A-Z0-9_]{1,60}):[\-=]/gv

/** A name that the text gives to a value: "store it as `$NAME`", "resolve `NAME`", "`$NAME = …`". */
const GIVEN =
  /\b(?:store|save|keep|read|set|resolve|append|add|capture|record|call)\b[^\n`]{0,80}(?:`[^`\n]{1,80}`[^\n`]{1,60}){0,3}`\$?([A-Z][A-Z0-9_]{1,60})`(?!\s(?:env|variable))|`\$([A-Z][A-Z0-9_]{1,60}) = /giv

/** Endings of variables that are set outside of a conversation. */
const OUTSIDE =
  /(?:KEY|TOKEN|SECRET|PASSWORD|URL|URI|HOST|ENDPOINT|WEBHOOK|SITE|REGION|USERNAME|_USER|CLOUD_ID|CREDENTIALS|CERT|CONNECTION_STRING)$/u

/** Returns the environment variables that a text uses and that somebody else must set. */
export function namedVariables(text: string, script: string): readonly string[] {
  const toFillIn = [...script.matchAll(TO_FILL_IN)].map(
    ([, secret, other]) => secret ?? other ?? '',
  )
  const set = new Set([
    ...[...script.matchAll(SET)].map(([, name, from, other]) => (name === from ? other : name)),
    ...[...script.matchAll(GIVEN)]
      .map(([, name, other]) => name ?? other ?? '')
      .filter((name) => !OUTSIDE.test(name)),
  ])
  const isOutside = (name: string) =>
    OUTSIDE.test(name) ||
    new RegExp(
      `\\b(?:env|environment|export)\\b[^\\n]{0,120}\\b${name}\\b|\\b${name}\\b[^\\n]{0,60}\\b(?:env|environment)\\b|\\b${name}=["']?\\$\\{?${name}\\b`,
      'iv',
    ).test(script)
  const expanded = [
    ...script.matchAll(/(?<!\\|'")\$\{?([A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){1,8})\b(?!\$)/gu),
  ].map(([, name = '']) => name)
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
  return /\b(?:never|not|don't|avoid|instead of|rather than|without|legacy|old|replaces?)\b[^.;\n]{0,80}$/iu.test(
    text.slice(Math.max(0, index - LONGEST_START), index),
  )
}
