import type { ReactElement } from 'react'
import type { JsonSchema } from '../../../entries/index.ts'
import {
  cursorSpan,
  fitText,
  Line,
  type TextSpan,
  type Theme,
  WindowedRows,
} from '../../../entries/ink-views.ts'
import { displayWidth, identityMemo, type ValueIssue } from '../../../entries/kit.ts'
import {
  argumentIssues,
  textOfField,
  type FormField,
  formFields,
  fieldIssue,
} from '../changes/form-fields.ts'
import { readArguments } from '../changes/make-call.ts'
import type { FormCursor } from '../context/ui-state.ts'
import { fieldSpans } from '../text/text-field.ts'

/** The fields of a form, one a line: name, value, problem. `text` has the arguments as JSON. */
export function FormRows({
  fields,
  issues,
  form,
  text,
  width,
  height,
  theme,
}: ReadForm & {
  readonly form: FormCursor
  readonly text: string
  readonly width: number
  readonly height: number
  readonly theme: Theme
}): ReactElement {
  const value = parsedArguments(text)
  const longest = fields.reduce((most, { label }) => Math.max(most, label.length), 0)
  const labels = Math.min(longest + 2, Math.floor(width / 3))
  const values = Math.max(8, Math.floor((width - labels) / 2))
  return (
    <WindowedRows
      {...{ width, height, theme }}
      count={fields.length}
      selected={form.at}
      renderRow={(index) => {
        const one = fields[index]
        if (one === undefined) return <></>
        const { kind, choices, label, required, description } = one
        const isCurrent = index === form.at
        const issue = fieldIssue(one, issues)
        const shown = fitText(textOfField(value, one), values - 1, theme)
        const isChoice = kind === 'choice'
        const hint = isChoice
          ? choices.map((each) => JSON.stringify(each)).join(' | ')
          : description
        return (
          <Line
            theme={theme}
            width={width}
            spans={[
              cursorSpan(isCurrent, theme),
              { text: fitText(`${label}${required ? ' *' : ''}`, labels, theme), bold: isCurrent },
              { text: ' ' },
              ...(isCurrent && !isChoice
                ? paddedField(form, values - 1, theme)
                : [{ text: shown, inverse: isCurrent && theme.colour }]),
              { text: `  ${issue ?? hint}`, ...(issue === null ? { dim: true } : { tone: 'bad' }) },
            ]}
          />
        )
      }}
    />
  )
}

/** Draws a field in so many columns: what is behind it stays where it is when the cursor comes. */
function paddedField(form: FormCursor, columns: number, theme: Theme): readonly TextSpan[] {
  const spans = fieldSpans(form, columns, theme)
  const last = spans.at(-1)?.text ?? ''
  const before = spans.slice(0, -1)
  const used = displayWidth(before.map(({ text }) => text).join(''))
  return [...before, { text: fitText(last, Math.max(0, columns - used), theme) }]
}

/** Puts the cursor at the end of a field. */
export function cursorAt(schema: JsonSchema, text: string, index: number): FormCursor {
  const { fields } = readForm(schema, text)
  const at = Math.max(0, Math.min(index, fields.length - 1))
  const field = fields[at]
  const typed = field === undefined ? '' : textOfField(parsedArguments(text), field)
  return { at, text: typed, cursor: typed.length }
}

interface ReadForm {
  readonly fields: readonly FormField[]
  readonly issues: readonly ValueIssue[]
}

const formCache = identityMemo<ReadForm>()

export function readForm(schema: JsonSchema, text: string): ReadForm {
  return formCache([schema], text, () => {
    const value = parsedArguments(text)
    return { fields: formFields(schema, value), issues: argumentIssues(schema, value) }
  })
}

/** Returns the arguments of a text; undefined while it is not JSON. */
export function parsedArguments(text: string): unknown {
  const input = readArguments(text)
  return input.ok ? input.value : undefined
}
