import { stemWord } from './stem-word.ts'

/** What people say around a request: who asks, how politely, and that they ask. */
const ASKING = `
able additionally assist curious currently detail details find get give go going great hello
help hey hi information interest interested kindly know like look looking love make need one
plan planning please possible provide quick really recommend see show suggest sure tell thank
thanks try trying two use using want wonder wondering
`

/** Words that fit any subject: adverbs, praise, amounts, times, and verbs that say little. */
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

const asking = stemsOf(ASKING)
const general = stemsOf(GENERAL)

/**
 * How much a word of a request counts, from 0 to 1, by its term.
 *
 * Descriptions of tools are terse and requests are chatty, so a word such as "wonderful" is
 * rare in an index and would weigh as much as a subject does, were it not listed here.
 */
export function weightInRequest(term: string): number {
  return asking.has(term) ? 0.6 : general.has(term) ? 0.8 : 1
}

/** What a weak word of a text about a tool counts; in a name it counts in full. */
export const WEAK_IN_TEXT = 0.6

/** Whether a word says little about a tool in whose description it stands. */
export function isWeakTerm(term: string): boolean {
  return asking.has(term) || general.has(term)
}

function stemsOf(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/).map(stemWord))
}
