import { stemWord } from './stem-word.ts'

/** Words of asking: who asks, how politely, and that they ask. */
const ASKING = `
able additionally assist curious currently detail details find get give go going great hello
help hey hi information interest interested kindly know like look looking love make need one
plan planning please possible provide quick really recommend see show suggest sure tell thank
thanks try trying two use using want wonder wondering
`

/** Words that fit any subject: adverbs, praise, amounts, times, and general verbs. */
const GENERAL = `
absolutely accurate accurately achieve actual actually additional advance afternoon ago aim
allow almost already alternatively although always amazing among anybody anyone anything anyway
appreciate appropriate around ask aspect assistance available avoid aware away awesome base
basically become begin believe beneficial beside best better big bit bring build busy call carry
case certain chance change check choice choose clear clearly close collect come comfortable
common complete completely complex comprehensive concern consider considering contain convenient
correct correctly cover create credible current day deal decide deep delve depth describe
description desire detailed determine different difficult directly discover discuss diverse
easily easy effect effective effectively efficient efficiently effort engage engaging enjoy
enough ensure entire especially essential etc evening eventually ever every everybody everyone
everything exact exactly excellent exciting exist expect experience explain explore extra
extremely face factor fairly familiar far fast favorite feature feel fetch figure final finally
fine first fit focus follow following form free friend friendly fun future gather general
generally generate good got grab guide guy handle happen happy hard hear helpful high highly
hope huge idea ideal imagine immediately impact important improve include including incorporate
increase indeed individual inform informative insight insightful instead intend interesting
involve issue item keen keep key kind knowledge lack large last late lately later latest lead
learn least leave less likely limited list little long lot low main mainly major manage many
matter maybe mean mention method mind minute moment month morning multiple name naturally near
nearly necessary neither never new next nice night normal note nothing notice number numerous
obtain obviously occur offer often okay old open opinion opportunity option order original
otherwise outline overall overview part particular particularly past pay people perfect perform
perhaps person personal personally piece place pleasure plenty point popular possibly potential
potentially practical prefer preferably present pretty previous probably problem proceed process
proper properly purpose put question quickly quite range rather reach ready real realize reason
recent recently recommendation regard regarding regular regularly relate related relevant
reliable remain remember request require requirement respond response rest result retrieve
return right run safe save say search seem select sense series serious set several share short
side similar simple simply since situation small smoothly solution someone something sometimes
somewhere soon sort special specific specifically specify spend stand start state stay step
still stop straight struggle stuff success successful successfully suggestion suitable super
support suppose surely surprise tailored take talk task tend term thing think thorough
thoroughly thought thrilled throughout time tip today together tomorrow tonight top topic total
toward trouble true truly trustworthy turn type typically unable understand understanding
unfortunately unique unless until upcoming update useful usual usually utilize value variety
various view visit wait way week weekend welcome whether whole wide wish within without
wonderful word work world worry worth write wrong year yes yesterday yet
`

const asking = stemAll(ASKING)

const general = stemAll(GENERAL)

/**
 * Returns the weight of a term in a query, from 0 to 1.
 *
 * Descriptions of tools are terse and queries are chatty. A word such as "wonderful" is rare in an
 * index, so without these lists it would weigh as much as the subject.
 */
export function weightInQuery(term: string): number {
  return asking.has(term) ? 0.6 : general.has(term) ? 0.8 : 1
}

/** The weight of a weak word in a text; in a name it counts in full. */
export const WEAK_IN_TEXT = 0.6

/** Returns true for a term that says little about the tool that it describes. */
export function isWeakTerm(term: string): boolean {
  return asking.has(term) || general.has(term)
}

function stemAll(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/).map(stemWord))
}

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

/** Pairs of syllables of polite Korean requests, and of auxiliary verbs. */
const KOREAN = `
주세 세요 려줘 해줘 알려 습니 니다 싶어 싶습 궁금 금해 금합 합니 어떻 떻게 인가 가요 나요 까요 할까 있나 있어
있는 하는 해주 줄래 줘요 려주 하고 입니 지금 현재 오늘 제가 나는 내가 저는 우리 이번 혹시 좀 것 수 뭐야
뭐지 어때 되나 될까 싶은 원해 부탁 드려 드립 립니 주실 수있 있을
`

/** Chinese words of two characters that occur in requests about any subject. */
const CHINESE = `
一下 一个 一些 一直 一种 为了 之间 什么 他们 以及 但是 你们 使用 信息 关于 其中 准备 包括 另外 可以 同时 告诉
因为 如何 如果 已经 希望 帮助 帮忙 并且 应该 怎么 怎样 情况 想要 我们 所以 打算 提供 是否 最近 查看 根据 正在
比较 现在 目前 相关 看看 知道 能够 计划 还有 这个 这些 进行 那个 那些 需要 非常
`

const STOP_WORDS = new Set(`${ENGLISH}${KOREAN}${CHINESE}`.trim().split(/\s+/))

/** Returns true for a lower-case word that says nothing about the subject. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word)
}
