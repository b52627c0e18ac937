import { createRedactor, type Redactor } from '../../../entries/index.ts'
import { secretsFromEnvironment } from '../../project/config/environment-variables.ts'
import { escapeMarkup } from '../../report/writers/escape-markup.ts'
import type { CliContext, ProcessContext, TextSink } from './cli-context.ts'

/**
 * Returns the redactor of the secrets in an environment, also as a page writes them; undefined where it has none. Other
 * tokens stay: a person may read and write them.
 */
export function knownSecrets(env: CliContext['env']): Redactor | undefined {
  const secrets = secretsFromEnvironment(env).flatMap((one) => [one, escapeMarkup(one)])
  return secrets.length === 0
    ? undefined
    : createRedactor({ secrets: [...new Set(secrets)], keys: [], prefixes: [] })
}

/** Returns a context whose outputs have no secret of its environment, whatever a command prints. */
export function withoutKnownSecrets(context: ProcessContext): ProcessContext {
  const redactor = knownSecrets(context.env)
  if (redactor === undefined) return context
  const hiding = (sink: TextSink): TextSink => ({
    write: (text) => sink.write(redactor.text(text)),
    ...(sink.isTTY !== undefined && { isTTY: sink.isTTY }),
  })
  return { ...context, stdout: hiding(context.stdout), stderr: hiding(context.stderr) }
}
