/** Shorter lines of a secret of several lines may stand anywhere by chance. */
const LEAST_LINE = 16

/** The forms a secret takes in texts: as it is, as JSON and URLs write it, and line by line. */
export function secretForms(secret: string): readonly string[] {
  const lines = secret.split(/[\r\n]+/).filter((line) => line.length >= LEAST_LINE)
  const texts = [...new Set([secret, ...lines])]
  return [...new Set(texts.flatMap((text) => [text, ...inJson(text), ...inUrls(text)]))]
}

/** As JavaScript writes it, and writers that leave no slash, no markup, or nothing but ASCII as it is. */
function inJson(text: string): readonly string[] {
  const plain = JSON.stringify(text).slice(1, -1)
  const ascii = plain.replaceAll(/[^\0-\x7f]/g, escaped)
  return [plain, ascii].flatMap((one) => [
    one,
    one.replaceAll('/', '\\/'),
    one.replaceAll(/[<>&]/g, escaped),
  ])
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** What the parts of an address escape beside what is no printable ASCII: each more than the one before. */
const FRAGMENT = ' "<>`'
const QUERY = ` "#<>'`
const PATH = ' "#<>?^`{}'
const USER = `${PATH}/:;=@[\\]|`

/** Each part of an address, forms that are sent, and what JavaScript has; some write escapes in small letters. */
function inUrls(text: string): readonly string[] {
  const whole = text.toWellFormed()
  const forms = [
    ...[FRAGMENT, QUERY, PATH, USER].map((part) => percented(whole, part)),
    new URLSearchParams([['', whole]]).toString().slice(1),
    encodeURI(whole),
    encodeURIComponent(whole),
  ]
  return forms.flatMap((form) => [
    form,
    form.replaceAll(/%[0-9A-F]{2}/g, (one) => one.toLowerCase()),
  ])
}

function percented(text: string, part: string): string {
  const form = Array.from(text, (one) =>
    part.includes(one) || one < ' ' || one > '~' ? encodeURIComponent(one) : one,
  ).join('')
  return part.includes("'") ? form.replaceAll("'", '%27') : form
}
