export const execute = ({ order, amount = 42 }) => ({ order, paidBack: amount })
