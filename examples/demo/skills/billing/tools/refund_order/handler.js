export function execute({ order, euros }) {
  return { refund: 'r-1', order, euros, arrives: 'in two days' }
}
