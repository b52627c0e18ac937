export function execute({ kind }) {
  return { kind, items: 12 }
}
