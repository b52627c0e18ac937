const ORDERS = { 7: { price: 42, day: '2024-05-06' }, 8: { price: 9, day: '2024-05-07' } }

export function execute({ order }) {
  const found = ORDERS[order]
  if (found === undefined) throw new Error(`No order has the number ${order}.`)
  return { order, ...found }
}
