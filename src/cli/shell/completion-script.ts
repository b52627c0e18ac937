import type { Command } from 'commander'

export const COMPLETION_SHELLS = ['bash', 'zsh', 'fish'] as const

/** One command, by its words: none for the program, `sessions list`. */
interface CompletedCommand {
  readonly path: readonly string[]
  readonly summary: string
  readonly commands: readonly string[]
  readonly options: readonly CompletedOption[]
}

interface CompletedOption {
  readonly long: string
  readonly description: string
  readonly takesValue: boolean
}

/**
 * Returns the script that completes a program's commands and options, and else the names of files. It is
 * complete in itself: no process of ours runs while somebody types.
 */
export function completionScript(
  program: Command,
  shell: (typeof COMPLETION_SHELLS)[number],
): string {
  const all = completedCommands(program, [])
  switch (shell) {
    case 'bash':
      return bashScript(program.name(), all)
    case 'zsh':
      return `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(program.name(), all)}`
    case 'fish':
      return fishScript(program.name(), all)
  }
}

function completedCommands(command: Command, path: readonly string[]): readonly CompletedCommand[] {
  const help = command.createHelp()
  const options = help.visibleOptions(command).flatMap(({ long, description, required }) => {
    return long ? { long, description, takesValue: required } : []
  })
  const inner = help.visibleCommands(command)
  const commands = inner.map((one) => one.name())
  return [
    { path, summary: command.summary(), commands, options },
    ...inner.flatMap((one) => completedCommands(one, [...path, one.name()])),
  ]
}

function bashScript(name: string, all: readonly CompletedCommand[]): string {
  const paths = all.flatMap(({ path, commands }) =>
    commands.map((command) => `${path.join('/')}/${command}`),
  )
  const cases = all.map(({ path, commands, options }) => {
    const words = [...commands, ...options.map(({ long }) => long)]
    return `    '${path.join('/')}') words='${words.join(' ')}' ;;`
  })
  // zsh takes an expression in an index only with its own brackets.
  return `_${name}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" command='' words='' word
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    case "$command/$word" in
      ${paths.join('|')}) command="\${command:+$command/}$word" ;;
    esac
  done
  case "$command" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _${name} ${name}
`
}

function fishScript(name: string, all: readonly CompletedCommand[]): string {
  const seen = (word: string) => `__fish_seen_subcommand_from ${word}`
  const groups = all.flatMap(({ path, commands }) =>
    path.length === 1 && commands.length > 0 ? path : [],
  )
  const lines = all.flatMap(({ path, commands, options }) => {
    // A command of a group may have the name of another command.
    const others = path.length === 0 ? [] : groups.filter((group) => group !== path[0])
    const none = path.length === 0 ? ['__fish_use_subcommand'] : []
    const when = [...none, ...path.map(seen), ...others.map((one) => `not ${seen(one)}`)]
    const before = `complete -c ${name} -n ${quoted(when.join('; and '))}`
    return [
      ...commands.map((command) => {
        const inner = all.find((one) => one.path.join(' ') === [...path, command].join(' '))
        return `${before} -a ${command} -d ${quoted(inner?.summary ?? '')}`
      }),
      ...options.map(({ long, description, takesValue }) => {
        const value = takesValue ? ' -r' : ''
        return `${before} -l ${long.slice(2)}${value} -d ${quoted(description)}`
      }),
    ]
  })
  return `${lines.join('\n')}\n`
}

/** Quotes a text for fish. */
function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/gv, String.raw`\$&`)}'`
}
