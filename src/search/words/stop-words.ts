/** Words of English grammar. */
const ENGLISH = `
a about after again against all also am an and any are as at be been before being between both
but by can could d did didn do does doesn doing don during each else few for from further had
has have having he her here him his how i id if im in into is isn it its ive just let lets ll m
may me might mine more most must my no nor not now of off on only or other our out over own per
re s same shall she should so some such t than that the their them then there these they this
those through to too under us ve very via was we were what when where which who whom whose why
will with would you your yours
`

/** Pairs of syllables that every polite Korean request has, and pairs of auxiliary verbs. */
const KOREAN = `
주세 세요 려줘 해줘 알려 습니 니다 싶어 싶습 궁금 금해 금합 합니 어떻 떻게 인가 가요 나요 까요 할까 있나 있어
있는 하는 해주 줄래 줘요 려주 하고 입니 지금 현재 오늘 제가 나는 내가 저는 우리 이번 혹시 좀 것 수 뭐야
뭐지 어때 되나 될까 싶은 원해 부탁 드려 드립 립니 주실 수있 있을
`

/** Chinese words of two characters that requests are made with, whatever they are about. */
const CHINESE = `
一下 一个 一些 一直 一种 为了 之间 什么 他们 以及 但是 你们 使用 信息 关于 其中 准备 包括 另外 可以 同时 告诉
因为 如何 如果 已经 希望 帮助 帮忙 并且 应该 怎么 怎样 情况 想要 我们 所以 打算 提供 是否 最近 查看 根据 正在
比较 现在 目前 相关 看看 知道 能够 计划 还有 这个 这些 进行 那个 那些 需要 非常
`

const STOP_WORDS = new Set(`${ENGLISH}${KOREAN}${CHINESE}`.trim().split(/\s+/))

/** Whether a word, in lower case, says nothing about what is looked for. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word)
}
