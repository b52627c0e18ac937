export function execute({ order }) {
  return { order, item: 'a lamp', paid: 89, customer: 'ada@example.com' }
}
