import {
  BuildError,
  CarnetError,
  ConfigError,
  formatError,
  isBuildError,
  isCarnetError,
  isConfigError,
  isParseError,
  isValidationError,
  ParseError,
  ValidationError,
} from 'loadout/carnet'
import { expect, test } from 'vitest'

const errors = {
  CarnetError: new CarnetError('base', { why: 'no' }),
  ConfigError: new ConfigError('config'),
  ParseError: new ParseError('parse', 'a/SKILL.md', 3),
  ValidationError: new ValidationError('missing', 'skill', 'web', { near: ['www'] }),
  BuildError: new BuildError('build', 'discovery'),
}

test.each(Object.entries(errors))(
  '%s is an error of its name, and only its guard knows it',
  (name, error) => {
    expect(error).toBeInstanceOf(Error)
    expect(error.name).toBe(name)
    expect({
      CarnetError: isCarnetError(error),
      ConfigError: isConfigError(error),
      ParseError: isParseError(error),
      ValidationError: isValidationError(error),
      BuildError: isBuildError(error),
    }).toEqual({
      CarnetError: true,
      ConfigError: name === 'ConfigError',
      ParseError: name === 'ParseError',
      ValidationError: name === 'ValidationError',
      BuildError: name === 'BuildError',
    })
  },
)

test('other values are not errors of Carnet', () => {
  for (const other of [new Error('x'), null, 'text', { name: 'CarnetError' }]) {
    expect(isCarnetError(other)).toBe(false)
  }
})

test('errors have the fields of their kind, and write themselves as JSON', () => {
  expect(errors.ParseError).toMatchObject({ filePath: 'a/SKILL.md', lineNumber: 3 })
  expect(errors.ValidationError).toMatchObject({ entityType: 'skill', entityName: 'web' })
  expect(errors.BuildError).toMatchObject({ phase: 'discovery' })
  expect(JSON.parse(JSON.stringify(errors.CarnetError))).toEqual({
    name: 'CarnetError',
    message: 'base',
    context: { why: 'no' },
  })
})

test('an error is printed with its subject', () => {
  expect(Object.values(errors).map(formatError).join('\n\n')).toMatchInlineSnapshot(`
    "CarnetError: base
      Context:
        why: no

    ConfigError: config

    ParseError: parse
      File: a/SKILL.md
      Line: 3

    ValidationError: missing
      Type: skill
      Name: web
      Context:
        near: ["www"]

    BuildError: build
      Phase: discovery"
  `)
})

test('other values are printed, too', () => {
  expect(formatError(new TypeError('x'))).toBe('TypeError: x')
  expect(formatError('just text')).toBe('just text')
})

test('a context that is not valid JSON does not prevent an error from being printed', () => {
  const circle: Record<string, unknown> = {}
  circle['circle'] = circle
  expect(formatError(new CarnetError('round', { circle, none: undefined }))).toBe(
    'CarnetError: round\n  Context:\n    circle: [object Object]\n    none: undefined',
  )
})
