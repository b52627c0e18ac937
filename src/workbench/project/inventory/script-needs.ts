import { isBuiltin } from 'node:module'

/** A package that files of a skill name, with the first file that does. */
export interface NamedPackage {
  readonly name: string
  readonly from: string
}

/** The needs of a skill's scripts, as far as their files say. */
export interface ScriptNeeds {
  /** Programs that run the scripts: of the first line, else by the ending. */
  readonly programs: readonly NamedPackage[]
  /** Python packages: by the name of the import, or of `requirements.txt`. */
  readonly python: readonly NamedPackage[]
  readonly node: readonly NamedPackage[]
}

/** The interpreters of scripts whose first line names none. */
const BY_ENDING: Readonly<Record<string, string>> = {
  py: 'python3',
  sh: 'bash',
  bash: 'bash',
  js: 'node',
  mjs: 'node',
  cjs: 'node',
  ts: 'node',
  mts: 'node',
  rb: 'ruby',
  pl: 'perl',
  ps1: 'pwsh',
}

/** Characters of a file, and of one line, that are read. */
const LONGEST_READ = 200_000
const LONGEST_LINE = 1_000

/**
 * Reads what the scripts of a skill need, in time proportional to the texts. Nothing is run. Imports in comments and texts
 * may count, those that are computed do not, and the own modules of the skill are no packages.
 *
 * @param files the texts of the skill's files by their paths, with `requirements.txt` and `package.json`
 */
export function scriptNeeds(files: ReadonlyMap<string, string>): ScriptNeeds {
  const programs = new Map<string, string>()
  const python = new Map<string, string>()
  const node = new Map<string, string>()
  const own = new Set([...files.keys()].flatMap(moduleNames))
  const note = (list: Map<string, string>, names: Iterable<string>, path: string) => {
    for (const name of names) if (!list.has(name)) list.set(name, path)
  }
  for (const [path, whole] of files) {
    const text = whole.slice(0, LONGEST_READ)
    const lines = text.split(/\r\n?|\n/u).map((line) => line.slice(0, LONGEST_LINE))
    const file = path.slice(path.lastIndexOf('/') + 1)
    if (/^requirements[\w.-]*\.txt$/u.test(file)) note(python, requirements(lines), path)
    else if (file === 'package.json') note(node, dependencies(whole), path)
    else {
      const ending = /\.(\w+)$/u.exec(file)?.[1]?.toLowerCase() ?? ''
      if (!path.startsWith('scripts/') && !Object.hasOwn(BY_ENDING, ending)) continue
      const program = shebang(lines[0] ?? '') ?? BY_ENDING[ending]
      if (program === undefined) continue
      note(programs, [program], path)
      if (program.startsWith('python')) {
        note(
          python,
          pythonImports(lines).filter((one) => !own.has(one) && !STANDARD.has(one)),
          path,
        )
      } else if (BY_ENDING[ending] === 'node' || program === 'node') {
        note(node, nodeImports(lines), path)
      }
    }
  }
  const listed = (list: ReadonlyMap<string, string>) =>
    Array.from(list, ([name, from]) => ({ name, from }))
  return { programs: listed(programs), python: listed(python), node: listed(node) }
}

/** The names by which Python scripts import a file of the skill: its own, and those of its folders. */
function moduleNames(path: string): readonly string[] {
  const segments = path.split('/')
  const last = segments.pop() ?? ''
  return last.endsWith('.py') ? [...segments, last.slice(0, -'.py'.length)] : []
}

function shebang(line: string): string | undefined {
  if (!line.startsWith('#!')) return undefined
  const words = line.slice(2).trim().split(/\s+/u)
  const names = words.map((word) => word.slice(word.lastIndexOf('/') + 1))
  const program =
    names[0] === 'env' ? names.find((one, at) => at > 0 && !/^-|=/u.test(one)) : names[0]
  if (program === undefined || !/^[\w.+-]{1,100}$/u.test(program)) return undefined
  return program === 'python' ? 'python3' : program
}

function pythonImports(lines: readonly string[]): readonly string[] {
  const names: string[] = []
  for (const line of lines) {
    const from = /^\s*from\s+([A-Za-z_][\w.]*)\s+import\b/u.exec(line)?.[1]?.split('.')[0]
    const plain = /^\s*import\s+([A-Za-z_][\w., ]*)/u.exec(line)?.[1]
    if (from !== undefined) names.push(from)
    for (const one of plain?.split(',') ?? []) {
      const [name = ''] = one.trim().split(/[.\s]/u, 1)
      if (name !== '') names.push(name)
    }
  }
  return names
}

const IMPORTED =
  /\b(?:from|import|require)\s{0,20}\(?\s{0,20}(?:"([^"']{1,200})"|'([^"']{1,200})')/gu

function nodeImports(lines: readonly string[]): readonly string[] {
  const specifiers = lines.flatMap((line) =>
    /^\s*(?:\/\/|\*)/u.test(line)
      ? []
      : Array.from(line.matchAll(IMPORTED), ([, one, other = '']) => one ?? other),
  )
  return specifiers
    .filter((one) => /^[@a-z0-9]/iu.test(one) && !isBuiltin(one) && !one.includes(':'))
    .map(packageName)
}

/** Returns the package of a module: `@scope/name` of `@scope/name/part`. */
function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

function requirements(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => /^\s*([A-Za-z0-9][\w.-]*)/u.exec(line)?.[1] ?? [])
}

function dependencies(text: string): readonly string[] {
  try {
    const parsed: unknown = JSON.parse(text)
    const given = Object(parsed) as { readonly dependencies?: unknown }
    return Object.keys(Object(given.dependencies))
  } catch {
    return []
  }
}

/** Modules of Python's standard library. */
const STANDARD: ReadonlySet<string> = new Set(
  `__future__ __main__ abc aifc argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect
  builtins bz2 calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall compression concurrent
  configparser contextlib contextvars copy copyreg cProfile crypt csv ctypes curses dataclasses datetime dbm decimal difflib
  dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib
  functools gc getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr imp importlib
  inspect io ipaddress itertools json keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes
  mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib ntpath numbers opcode operator optparse os ossaudiodev
  pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd
  py_compile pyclbr pydoc queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select selectors
  shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 ssl stat statistics string stringprep
  struct subprocess sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios test textwrap threading
  time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle types typing unicodedata unittest urllib
  uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib
  zoneinfo _thread`.split(/\s+/u),
)
