/** Shorter lines of a secret of several lines may stand anywhere by chance. */
const LEAST_LINE = 16

/** The forms a secret takes in texts: as it is, as JSON and URLs write it, and line by line. */
export function secretForms(secret: string): readonly string[] {
  const lines = secret.split(/[\r\n]+/).filter((line) => line.length >= LEAST_LINE)
  return [...new Set([secret, ...lines].flatMap(encodings))]
}

function encodings(text: string): readonly string[] {
  return [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text.toWellFormed())]
}
