export const execute = () => {
  throw new Error('It broke.\u001b[31m')
}
