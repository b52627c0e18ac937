const load = { call: 'loadSkill', with: { skillName: 'till' } }

const show = {
  user: 'show the orders',
  model: [load, { call: 'list_orders' }, { text: 'Three are open.' }],
}

const pay = (number: number) => ({
  user: `pay back order ${number}`,
  model: [load, { call: 'pay_back', with: { number } }, { text: `Order ${number}.` }],
})

/** A conversation in which orders are paid back: whatever is killed in it, each is paid once. */
export const ORDERS_PAID_BACK = {
  scenario: 1 as const,
  name: 'orders are paid back',
  steps: [
    show,
    pay(7),
    { user: 'what is this', model: [{ text: 'A till.' }] },
    pay(8),
    show,
    pay(9),
  ],
}
