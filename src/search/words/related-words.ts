import { foldText } from './fold-text.ts'
import { stemWord } from './stem-word.ts'

/**
 * Words that people and the authors of tools use for one another, a group a line. A word may
 * stand in several groups; groups are about what tools do, and short.
 */
const GROUPS = `
picture image photo photograph illustration
movie film cinema
song music track tune
buy purchase shop shopping order
price cost pricing fee
cheap affordable inexpensive budget
job career employment vacancy hiring recruit
resume cv
house home property apartment realty housing
car vehicle automobile auto
flight airline airport airfare aviation
hotel accommodation lodging hostel booking
trip travel tour vacation holiday journey itinerary
restaurant dining eatery
recipe cooking cook meal dish cuisine
food meal diet nutrition
calorie diet nutrition
exercise workout fitness gym
doctor medical physician clinic health healthcare
disease illness symptom health medical
medicine drug medication pharmacy
stock share equity ticker
money finance financial currency
bitcoin crypto cryptocurrency ethereum blockchain coin
invest investment investor portfolio
bank banking account
news headline article journalism
paper research academic scholarly journal arxiv study
book novel reading literature author
translate translation language
weather forecast temperature climate rain
map location geographic place
address location geocode
distance route direction navigation
email mail inbox
message sms text chat
phone telephone mobile call
meeting appointment calendar schedule event
task todo reminder
note memo
document doc file
pdf document
spreadsheet excel sheet csv
slide presentation powerpoint deck
chart graph plot diagram visualization visualize
video clip footage youtube
podcast audio episode
voice speech audio
summarize summary summarization digest
website site webpage web page url
internet web online browse google
domain dns whois
code program programming developer software coding
bug issue defect
database sql query
picture draw drawing art artwork
design graphic creative
logo brand branding
advertise ad advertising marketing campaign
seo keyword ranking
social twitter instagram facebook tiktok
tweet twitter
game gaming play videogame
sport team match league player football soccer basketball
soccer football
score result
learn education course class lesson study tutor
student school university college
quiz test exam question
math calculate calculation calculator compute arithmetic equation
number digit integer
convert conversion transform
random generate generator
tax taxation income
salary wage income
loan mortgage credit
insurance policy coverage
law legal lawyer attorney court
contract agreement
gift present
flower bouquet
wine beer drink beverage cocktail
coffee tea
fashion clothes clothing outfit wear dress
beauty makeup cosmetic skincare
pet dog cat animal
kid child children baby parent
horoscope zodiac astrology
tarot fortune divination
joke humor funny
quote saying inspiration
poem poetry
story tale fiction narrative
history historical
science scientific
space astronomy nasa planet
star rating review
review feedback opinion rating
discount coupon deal promotion sale
product item goods
store shop retail
delivery shipping parcel package tracking shipment
track tracking monitor
time timezone clock hour
date day calendar
delete remove erase
create make new add
edit update modify change
list show display all
find search lookup discover
get fetch retrieve
send deliver
upload import
download export save
open launch start
close stop end
user person people customer member
password login credential authentication
encrypt encryption cipher
qr barcode
ip network
server host
cloud aws azure
git github repository repo commit
test testing
electric ev charging
energy power electricity
air pollution quality
earthquake seismic
ocean sea marine
water hydration
park parking
train railway rail
bus transit transport transportation
taxi ride uber
crime police
election vote political politics government congress
company business corporate firm enterprise
startup venture
lead prospect sales
survey poll questionnaire
analytic statistic analysis analyze metric insight
compare comparison versus
predict forecast prediction
count number total
size length width
area surface
volume capacity
speed velocity
weight mass
age birthday birth
name title
lyric song
artist musician singer band
concert gig ticket
ticket event
art museum gallery
photo camera
color colour palette
font typography
icon emoji
chess board
card deck flashcard
memory remember remind
meditation mindfulness sleep
mental therapy wellbeing stress anxiety
dating relationship
wedding marriage
religion bible christian prayer
charity donation donate nonprofit
garden plant
farm agriculture crop
building construction architecture
furniture interior decor
repair fix maintenance
순위 랭킹 차트
시각 시간
가격 금액 비용 요금 얼마
잔액 잔고
화폐 통화
환율 환전
주가 주식
사진 그림 이미지
음악 노래
영화 필름
식당 맛집
날씨 기온
번역 통역
일정 약속
메일 이메일
문자 메시지
검색 조회
삭제 제거
추가 등록 저장
수정 변경
예약 예매
회의 미팅
지도 위치
뉴스 기사
할인 세일
图片 照片 图像
价格 费用 价钱
电影 影片
音乐 歌曲
酒店 宾馆
航班 机票
天气 气温
邮件 邮箱
日程 日历
股票 股价
货币 汇率
删除 移除
查询 搜索 查找
新闻 资讯
餐厅 饭店
汽车 车辆
预订 预约
سعر تكلفة ثمن
رحلة سفر
فندق إقامة
طقس حرارة
فيلم سينما
أغنية موسيقى
خبر أخبار
سهم أسهم
مسافة مسار
شراء تسوق
`

const related = relate(GROUPS.trim().split('\n'))

const NONE: ReadonlySet<string> = new Set()

/** The terms of other words for what a term says; empty for most. */
export function relatedTerms(term: string): ReadonlySet<string> {
  return related.get(term) ?? NONE
}

function relate(groups: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const all = new Map<string, Set<string>>()
  for (const group of groups) {
    const terms = new Set(group.split(' ').map((word) => stemWord(foldText(word))))
    for (const term of terms) {
      const others = all.get(term) ?? new Set()
      for (const other of terms) if (other !== term) others.add(other)
      all.set(term, others)
    }
  }
  return all
}
