const MARKUP: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as it is written inside an element or a quoted attribute of HTML and XML. */
export function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>"']/g, (letter) => MARKUP[letter] ?? letter)
}
