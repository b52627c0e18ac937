import {
  type EnvironmentSelection,
  selectEnvironment,
  tryOrUndefined,
} from '../../../entries/kit.ts'

/** Returns the variables of this process's environment that a selection allows. */
export function environmentVariables(selection: EnvironmentSelection): ReadonlyMap<string, string> {
  return selectEnvironment(process.env, selection)
}

/** Words in the names of variables that contain secrets. */
const SECRET_WORDS: ReadonlySet<string> = new Set([
  'KEY',
  'SECRETS',
  'PASS',
  'CREDENTIAL',
  'CREDENTIALS',
  'PAT',
  'AUTHORIZATION',
  'COOKIE',
])

/** Endings of such words: `PGPASSWORD`. */
const SECRET_ENDINGS = ['APIKEY', 'TOKEN', 'SECRET', 'PASSWORD', 'PASSWD', 'PASSPHRASE']

/** Shorter values are words and numbers that can occur anywhere. */
const MIN_SECRET_LENGTH = 8

/**
 * Returns the values of an environment that look like secrets, for `redact: { secrets }`: of
 * variables with a word such as `KEY`, `TOKEN` or `PASSWORD` in their names, and the passwords
 * inside URLs of any variable. Values of less than eight characters are left out.
 */
export function secretsFromEnvironment(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): readonly string[] {
  const secrets = Object.entries(environment).flatMap(([name, value = '']) => {
    const isSecret = name
      .toUpperCase()
      .split(/[^A-Z]+/)
      .some(
        (word) => SECRET_WORDS.has(word) || SECRET_ENDINGS.some((ending) => word.endsWith(ending)),
      )
    return [...(isSecret ? [value] : []), ...passwordIn(value)]
  })
  return [...new Set(secrets)].filter(({ length }) => length >= MIN_SECRET_LENGTH)
}

/** Returns the password of `scheme://user:password@host`, encoded and decoded. */
function passwordIn(value: string): readonly string[] {
  if (!value.includes('://') || !URL.canParse(value)) return []
  const { password } = new URL(value)
  if (password === '') return []
  return [password, tryOrUndefined(() => decodeURIComponent(password)) ?? password]
}
