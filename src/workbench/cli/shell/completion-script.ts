import type { Command } from 'commander'

export const COMPLETION_SHELLS = ['bash', 'zsh', 'fish'] as const

/** One command, by its words: none for the program, `sessions list`. */
interface CompletedCommand {
  readonly path: readonly string[]
  readonly summary: string
  /** Names of commands inside, and the choices of arguments. */
  readonly words: readonly string[]
  readonly options: readonly {
    readonly long: string
    readonly description: string
    readonly takesValue: boolean
    /** None when any value is possible: then names of files are completed. */
    readonly choices: readonly string[]
  }[]
  readonly inner: readonly CompletedCommand[]
}

/**
 * Returns the script that completes a program's commands, options and the choices of their values, and else the names
 * of files. It is complete in itself: no process of ours runs while somebody types, and nothing that is typed is run.
 */
export function completionScript(
  program: Command,
  shell: (typeof COMPLETION_SHELLS)[number],
): string {
  const root = completedCommand(program, [])
  const name = program.name()
  switch (shell) {
    case 'bash':
      return bashScript(name, root)
    case 'zsh':
      return `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(name, root)}`
    case 'fish':
      return fishScript(name, root)
  }
}

function completedCommand(command: Command, path: readonly string[]): CompletedCommand {
  const help = command.createHelp()
  const inner = help
    .visibleCommands(command)
    .map((one) => completedCommand(one, [...path, one.name()]))
  const own = help
    .visibleOptions(command)
    .flatMap(({ long, description, required, argChoices }) => {
      return long ? [{ long, description, takesValue: required, choices: argChoices ?? [] }] : []
    })
  // The first command runs when none is given, so its options are possible, too.
  const ofDefault = inner[0]?.options ?? []
  const known = new Set(own.map(({ long }) => long))
  const values = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? [])
  return {
    path,
    summary: command.summary(),
    words: [...inner.flatMap((one) => one.path.slice(-1)), ...values],
    options: [...own, ...ofDefault.filter(({ long }) => !known.has(long))],
    inner,
  }
}

/** Returns a command, and all commands inside. */
function withInner(command: CompletedCommand): readonly CompletedCommand[] {
  return [command, ...command.inner.flatMap(withInner)]
}

/** Returns, for each option with a value, the words of its command and the option, such as `sessions/prune/--log`. */
function valuedOptions(all: readonly CompletedCommand[]) {
  return all.flatMap(({ path, options }) =>
    options.flatMap(({ long, takesValue, choices }) =>
      takesValue ? [{ at: `${path.join('/')}/${long}`, choices: choices.join(' ') }] : [],
    ),
  )
}

/** Returns the words that lead from each command to one inside, such as `sessions/prune`, and `/list` from the program. */
function innerPaths(all: readonly CompletedCommand[]): readonly string[] {
  return all.flatMap(({ path, inner }) =>
    inner.map((one) => `${path.join('/')}/${one.path.at(-1) ?? ''}`),
  )
}

function bashScript(name: string, root: CompletedCommand): string {
  const all = withInner(root)
  const cases = all.map(({ path, words, options }) => {
    const longs = options.map(({ long }) => long).join(' ')
    return `    '${path.join('/')}') words='${words.join(' ')}' options='${longs}' ;;`
  })
  const valued = valuedOptions(all)
  const chosen = Map.groupBy(valued, ({ choices }) => choices)
  chosen.delete('')
  const choices = Array.from(chosen, ([words, options]) => {
    return `      ${options.map(({ at }) => at).join('|')}) words='${words}' ;;`
  })
  // bash makes a word of "=", zsh does not, so there the option is a part of the word. zsh takes an expression in an index only with its own brackets.
  return `_${name}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" command='' option='' words='' options='' prefix='' word
  [[ $current == '=' ]] && current=''
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    [[ $word == '=' ]] && continue
    [[ -n $option ]] && option='' && continue
    case "$command/$word" in
      ${valued.map(({ at }) => at).join('|')}) option="$word" ;;
      ${innerPaths(all).join('|')}) command="\${command:+$command/}$word" ;;
    esac
  done
  case "$command" in
${cases.join('\n')}
  esac
  [[ $current == --*=* ]] && option="\${current%%=*}" prefix="\${current%%=*}=" current="\${current#*=}"
  if [[ -n $option ]]; then
    words=''
    case "$command/$option" in
${choices.join('\n')}
    esac
  elif [[ $current == -* ]]; then
    words="$options"
  fi
  COMPREPLY=($(compgen -P "$prefix" -W "$words" -- "$current"))
}
complete -o default -F _${name} ${name}
`
}

function fishScript(name: string, root: CompletedCommand): string {
  const all = withInner(root)
  const lines = all.flatMap(({ path, words, options, inner }) => {
    const before = `complete -c ${name} -n '__${name}_is_at "${path.join('/')}"'`
    return [
      ...words.map((word) => {
        const about = inner.find((one) => one.path.at(-1) === word)?.summary
        return `${before} -a ${word}${about === undefined ? '' : ` -d ${quoted(about)}`}`
      }),
      ...options.map(({ long, description, takesValue, choices }) => {
        const any = takesValue ? ' -r' : ''
        const value = choices.length > 0 ? ` -x -a ${quoted(choices.join(' '))}` : any
        return `${before} -l ${long.slice(2)}${value} -d ${quoted(description)}`
      }),
    ]
  })
  return `function __${name}_is_at -d 'True when the words before the cursor lead to this command'
  set -l command ''
  set -l option ''
  for word in (commandline -opc)[2..-1]
    if test -n "$option"
      set option ''
      continue
    end
    switch "$command/$word"
      case ${valuedOptions(all)
        .map(({ at }) => at)
        .join(' ')}
        set option $word
      case ${innerPaths(all).join(' ')}
        set command (string trim -l -c / -- "$command/$word")
    end
  end
  test "$command" = "$argv[1]"
end
${lines.join('\n')}
`
}

/** Quotes a text for fish. */
function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/gv, String.raw`\$&`)}'`
}
