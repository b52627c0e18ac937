export function execute({ to }) {
  return { sent: to }
}
