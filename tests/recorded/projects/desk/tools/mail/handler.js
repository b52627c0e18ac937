export const execute = ({ to }) => ({ sent: to })
