import { matchesPattern } from '../../kernel/matches-pattern.ts'

/**
 * Returns true when a shell text has a command that begins with the words of a pattern, such as `git push`. In a
 * word, `*` matches anything.
 *
 * @param quantity `some`: a shell may run such a command. The first word is looked for wherever a command can
 *   begin, without quotes, and with its folder left out; the other words may be anywhere behind it. A name that
 *   only the shell can compute counts as every name. `every`: the text certainly runs only such commands, which
 *   begin with exactly these words. A text with anything but plain words and quotes then matches nothing.
 */
export function matchesCommand(pattern: string, text: string, quantity: 'some' | 'every'): boolean {
  const [name = '', ...others] = pattern.trim().split(/\s+/)
  if (name === '') return false
  if (text.length > LONGEST) return quantity === 'some'
  return quantity === 'every'
    ? isOnly([name, ...others], text)
    : readings(text).some((one) => mayRun(name, others, one))
}

/** Characters of a text that is read. Linux gives a shell no longer one; it could have any command. */
const LONGEST = 131_072

/** Text without any special meaning for a shell: a plain word, or quotes around plain text. */
const PLAIN = /[\w./:@%+,=-]+|'[^']*'|"[^"$`\\!]*"/y
const BETWEEN = /[ \t]+|&&|\|\||[;|\n]/y

/** Reads a list of plain commands; null when it has anything else. */
function plainCommands(text: string): readonly (readonly string[])[] | null {
  const commands: string[][] = [[]]
  let at = 0
  let isInWord = false
  while (at < text.length) {
    const words = commands.at(-1) ?? []
    const word = matchAt(PLAIN, text, at)
    const between = word === '' ? matchAt(BETWEEN, text, at) : ''
    if (word !== '') {
      const plain = word.replaceAll(/^["']|["']$/g, '')
      if (isInWord) words.push(`${words.pop()}${plain}`)
      else words.push(plain)
    } else if (between === '') {
      return null
    } else if (between.trim() !== '' || between === '\n') {
      commands.push([])
    }
    isInWord = word !== ''
    at += word.length + between.length
  }
  return commands.filter((words) => words.length > 0)
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}

function isOnly(wanted: readonly string[], text: string): boolean {
  const commands = plainCommands(text)
  if (commands === null || commands.length === 0) return false
  return commands.every(
    ([first = '', ...rest]) =>
      !first.includes('=') &&
      wanted.every((one, place) => {
        const word = [first, ...rest][place]
        return word !== undefined && matchesPattern(one, word)
      }),
  )
}

/**
 * Returns the ways in which a shell may read quotes and backslashes. A text may confuse any one reader, such as by a
 * quote in a comment, so none of them keeps track of what is open.
 */
function readings(text: string): readonly string[] {
  const joined = text
    .replaceAll(/\\\r?\n/g, '')
    .replaceAll(/\$(?:IFS\b|\{IFS[^}$]{0,40}\})/g, ' ')
    .replaceAll(/>\||[<>]&/g, '>')
  const decoded = joined.replaceAll(ESCAPE, (escape, code: string) => unescaped(escape, code))
  const read = [...new Set([joined, decoded])].flatMap((one) => [
    one,
    one.replaceAll(/'[^']*'|"[^"`(]*"|\\\s/g, (quoted) => quoted.replaceAll(/\s/g, '_')),
    one.replaceAll('\\', '/'),
  ])
  return [...new Set(read.map(withoutQuotes))]
}

function withoutQuotes(text: string): string {
  return text.replaceAll(/\$?["']|\\/g, '')
}

/** The escapes of `$'…'`. */
const ESCAPE = /\\(x[0-9a-f]{1,2}|u[0-9a-f]{1,4}|U[0-9a-f]{1,8}|[0-7]{1,3})/gi

function unescaped(escape: string, code: string): string {
  const isOctal = /^[0-7]/.test(code)
  const point = isOctal ? Number.parseInt(code, 8) : Number.parseInt(code.slice(1), 16)
  return point <= 0x10_ff_ff ? String.fromCodePoint(point) : escape
}

/** Looks at every place where a command may begin in a text without quotes. */
function mayRun(name: string, others: readonly string[], text: string): boolean {
  return text.split(/[;&|\n\r]/).some((line) => {
    const parts = withParentheses(line).split(/([()])/)
    const hasCase = /\bcase\b/.test(line)
    const opened: boolean[] = []
    let isArgument = false
    let start = Infinity
    let count = 0
    for (const [place, part] of parts.entries()) {
      const before = parts[place - 1] ?? ''
      if (part === '(') opened.push(/[$<>]$/.test(before))
      // What follows `$(…)` is most often another argument: only a name that is spelled out counts there.
      isArgument = part === ')' ? opened.pop() === true && !hasCase : before === ')' && isArgument
      const words = wordsOf(part)
      if (words.length === 0) continue
      start = Math.min(start, count + startOf(name, words, !isArgument))
      count += words.length
    }
    return start < count && hasAll(others, parts.flatMap(wordsOf).slice(start + 1))
  })
}

function wordsOf(part: string): readonly string[] {
  return part.match(/[<>]+|[^\s<>]+/g) ?? []
}

/** Writes `$(…)` for backticks. */
function withParentheses(line: string): string {
  let isOpen = false
  return line.replaceAll('`', () => {
    isOpen = !isOpen
    return isOpen ? '$(' : ')'
  })
}

/**
 * Returns the place of the word that a shell may run as a command of this name; Infinity without one.
 *
 * @param orComputed a name that only the shell can compute counts, too
 */
function startOf(name: string, words: readonly string[], orComputed: boolean): number {
  const at = words.findIndex((word, place) => !isBefore(word, words[place - 1], words[place + 1]))
  const first = words[at]
  if (first === undefined) return Infinity
  if (isNamed(name, first) || (orComputed && isComputed(first))) return at
  if (!RUNS_OTHERS.has(baseName(first))) return Infinity
  const inner = words.findIndex((word, place) => place > at && isNamed(name, afterEquals(word)))
  if (inner !== -1) return inner
  const next = words.findIndex(
    (word, place) =>
      place > at &&
      !isBefore(word, words[place - 1], words[place + 1]) &&
      !/^(?:[-+]|\d+\w?$|\w+=)/.test(word) &&
      !RUNS_OTHERS.has(baseName(word)),
  )
  // A shell without a script runs what it reads.
  if (next === -1) return orComputed && words.some((word) => isShell(word)) ? at : Infinity
  return isComputed(words[next] ?? '') ? next : Infinity
}

/** Returns true for a word that comes before the name of a command: a redirection, an assignment, a keyword. */
function isBefore(word: string, before = '', after = ''): boolean {
  const isRedirection = /^[<>]/.test(word) || /^[<>]/.test(before)
  const isNumberOfOne = /^\d+$/.test(word) && /^[<>]/.test(after)
  const isKeyword = KEYWORDS.has(word) || before === 'function'
  return isRedirection || isNumberOfOne || ASSIGNMENT.test(word) || isKeyword
}

const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/

const KEYWORDS = new Set('if then else elif do while until ! { } function coproc'.split(' '))

const SHELLS = new Set('sh bash rbash dash zsh ksh mksh ash fish csh tcsh'.split(' '))

/** Commands that run what their arguments say. */
const RUNS_OTHERS = new Set([
  ...SHELLS,
  ...`busybox toybox sudo doas su runuser pkexec env command builtin exec eval nohup nice ionice chrt taskset numactl
  setsid setpriv setarch linux32 linux64 prlimit cpulimit stdbuf timeout time watch xargs parallel find fd ssh ssh-agent
  chroot fakeroot unshare nsenter systemd-run dbus-run-session start-stop-daemon flock script strace ltrace trap alias
  noglob nocorrect npx bunx pnpx uvx`.split(/\s+/),
])

function isShell(word: string): boolean {
  return SHELLS.has(baseName(word))
}

function isNamed(pattern: string, word: string): boolean {
  return matchesPattern(pattern, word) || matchesPattern(pattern, baseName(word))
}

function baseName(word: string): string {
  return word
    .slice(word.lastIndexOf('/') + 1)
    .replace(/^[=!@]+/, '')
    .replace(/\.(?:exe|com|cmd|bat)$/i, '')
}

function afterEquals(word: string): string {
  return word.slice(word.indexOf('=') + 1)
}

/** Returns true for a name with something that a shell expands. `[` is a command. */
function isComputed(word: string): boolean {
  return /[$*?[\]{}]/.test(word) && !['[', '[[', '{}'].includes(word)
}

/** Returns true when all words of a pattern are there, in any order; short options also one by one. */
function hasAll(wanted: readonly string[], words: readonly string[]): boolean {
  const options = new Set(words.flatMap((word) => /^-([A-Za-z]+)/.exec(word)?.[1]?.split('') ?? []))
  return wanted.every((one) => {
    const letters = /^-([A-Za-z]+)$/.exec(one)?.[1]?.split('') ?? []
    const isShort = letters.length > 0 && letters.every((letter) => options.has(letter))
    return isShort || words.some((word) => isWord(one, word))
  })
}

/** Long options may be shortened, and may have a value. */
function isWord(wanted: string, word: string): boolean {
  if (matchesPattern(wanted, word)) return true
  if (!wanted.startsWith('--') || !word.startsWith('--') || word.length < 4) return false
  const [option = ''] = word.split('=')
  return wanted.startsWith(option)
}
