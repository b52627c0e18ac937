export const execute = ({ numbers }) => numbers.reduce((sum, number) => sum + number, 0)
