/** The parts of the instructions of a skill that are read in different ways. */
interface TextParts {
  /** Lines of shell blocks, and installations in others. */
  readonly commands: readonly string[]
  /** Variables that a block sets, and does nothing else: a person gives them values. */
  readonly settings: readonly string[]
  /** The text outside of all blocks. */
  readonly prose: string
  /** The text without blocks of other languages than shells: there `$NAME` is a variable. */
  readonly script: string
}

/** Separates the blocks of code in a Markdown text from its prose. */
export function splitText(text: string): TextParts {
  const commands: string[] = []
  const settings: string[] = []
  const prose: string[] = []
  const script: string[] = []
  let fence: string | null = null
  let kind = ''
  let block: string[] = []
  const closeBlock = () => {
    const all = block.map((line) => line.trim())
    const lines = all.filter((line) => /^[^#]/u.test(line))
    const names = lines.flatMap((line) => SETTING.exec(line)?.[1] ?? [])
    const isShell = SHELLS.test(kind)
    const isSettings =
      names.length === lines.length &&
      (SETTINGS.test(kind) || (isShell && lines.some((line) => TO_FILL_IN.test(line))))
    if (isSettings) settings.push(...names)
    else if (isShell) commands.push(...lines)
    else commands.push(...all.flatMap((line) => INSTALLS.exec(line)?.slice(1) ?? []))
    if (isShell && !isSettings) script.push(...block)
    block = []
  }
  for (const line of text.split(/\r?\n/u)) {
    const [, mark = '', language = ''] =
      /^\s{0,12}(`{3,10}|~{3,10})\s{0,3}([\w-]{0,30})/u.exec(line) ?? []
    if (fence !== null) {
      if (mark.startsWith(fence) && language === '') {
        closeBlock()
        fence = null
      } else block.push(line)
    } else if (mark === '') {
      prose.push(line)
      script.push(line)
    } else {
      fence = mark
      kind = language
    }
  }
  closeBlock()
  return { commands, settings, prose: prose.join('\n'), script: script.join('\n') }
}

const SHELLS =
  /^(?:bash|sh|shell|zsh|console|shell-session|shellsession|terminal|powershell|ps1|cmd|bat)\b/iu

/** A command that installs packages: it counts in a block of another language, and in a sentence. */
export const INSTALLS =
  /^(?:[#$>] )?((?:uv (?:pip|add|tool)|pip3? install|npm (?:i|install)|brew install|apt-get install) \S.*)$/u

/** Languages of blocks with settings. */
const SETTINGS = /^(?:env|dotenv)$/iu

/** A line that sets a variable to a text. */
const SETTING =
  /^(?:export )?([A-Z][A-Z0-9_]{1,60})=(?!["']?(?:\$\(|`))(?:"[^"]*"|'[^']*'|[^\s;&|]*)\s*(?:#.*)?$/u

/** A line with a secret, an address, or a text that stands for another. */
const TO_FILL_IN = /(?:KEY|TOKEN|SECRET|PASSWORD)=|=["']?(?:[<\[]|\.\.\.|xxx|your|https?:\/\/)/iv
