export function execute() {
  return []
}
