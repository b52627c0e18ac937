import { foldText } from './fold-text.ts'
import { stemWord } from './stem-word.ts'

/**
 * Groups of related words, separated by commas: words for one thing, or a thing with its kind or trade,
 * because a query may name one (`euro`) and a tool the other (`currency`). A word may be in several
 * groups; groups are short and about the use of tools.
 *
 * The list is fixed, so that every index ranks the same way and can be layered over any other. Add a
 * word only if it is used for tools in general; the words of one trade belong in the phrases of its
 * tools.
 */
const GROUPS = `
picture image photo photograph illustration, movie film cinema, song music track tune,
buy purchase shop shopping order, price cost pricing fee, cheap affordable inexpensive budget,
job career employment vacancy hiring recruit, resume cv,
house home property apartment realty housing, car vehicle automobile auto,
flight airline airport airfare aviation, hotel accommodation lodging hostel booking,
trip travel tour vacation holiday journey itinerary, restaurant dining eatery,
recipe cooking cook meal dish cuisine, food meal diet nutrition, calorie diet nutrition,
exercise workout fitness gym, doctor medical physician clinic health healthcare,
disease illness symptom health medical, medicine drug medication pharmacy,
stock share equity ticker, money finance financial currency,
bitcoin crypto cryptocurrency ethereum blockchain coin, invest investment investor portfolio,
bank banking account, news headline article journalism,
paper research academic scholarly journal arxiv study, book novel reading literature author,
translate translation language, weather forecast temperature climate rain,
map location geographic place, address location geocode, distance route direction navigation,
email mail inbox, message sms text chat, phone telephone mobile call,
meeting appointment calendar schedule event, task todo reminder, note memo, document doc file,
pdf document, spreadsheet excel sheet csv, slide presentation powerpoint deck,
chart graph plot diagram visualization visualize, video clip footage youtube,
podcast audio episode, voice speech audio, summarize summary summarization digest,
website site webpage web page url, internet web online browse google, domain dns whois,
code program programming developer software coding, bug issue defect, database sql query,
picture draw drawing art artwork, design graphic creative, logo brand branding,
advertise ad advertising marketing campaign, seo keyword ranking,
social twitter instagram facebook tiktok, tweet twitter, game gaming play videogame,
sport team match league player football soccer basketball, soccer football, score result,
learn education course class lesson study tutor, student school university college,
quiz test exam question, math calculate calculation calculator compute arithmetic equation,
number digit integer, convert conversion transform, random generate generator,
tax taxation income, salary wage income, loan mortgage credit, insurance policy coverage,
law legal lawyer attorney court, contract agreement, gift present, flower bouquet,
wine beer drink beverage cocktail, coffee tea, fashion clothes clothing outfit wear dress,
beauty makeup cosmetic skincare, pet dog cat animal, kid child children baby parent,
horoscope zodiac astrology, tarot fortune divination, joke humor funny, quote saying inspiration,
poem poetry, story tale fiction narrative, history historical, science scientific,
space astronomy nasa planet, star rating review, review feedback opinion rating,
discount coupon deal promotion sale, product item goods, store shop retail,
delivery shipping parcel package tracking shipment, track tracking monitor,
time timezone clock hour, date day calendar, delete remove erase, create make new add,
edit update modify change, list show display all, find search lookup discover,
get fetch retrieve, send deliver, upload import, download export save, open launch start,
close stop end, user person people customer member, password login credential authentication,
encrypt encryption cipher, qr barcode, ip network, server host, cloud aws azure,
git github repository repo commit, test testing, electric ev charging, energy power electricity,
air pollution quality, earthquake seismic, ocean sea marine, water hydration, park parking,
train railway rail, bus transit transport transportation, taxi ride uber, crime police,
election vote political politics government congress, company business corporate firm enterprise,
startup venture, lead prospect sales, survey poll questionnaire,
analytic statistic analysis analyze metric insight, compare comparison versus,
predict forecast prediction, count number total, size length width, area surface,
volume capacity, speed velocity, weight mass, age birthday birth, name title, lyric song,
artist musician singer band, concert gig ticket, ticket event, art museum gallery, photo camera,
color colour palette, font typography, icon emoji, chess board, card deck flashcard,
memory remember remind, meditation mindfulness sleep, mental therapy wellbeing stress anxiety,
dating relationship, wedding marriage, religion bible christian prayer,
charity donation donate nonprofit, garden plant, farm agriculture crop,
building construction architecture, furniture interior decor, repair fix maintenance,
find hire freelance freelancer, people person talent, wallet transaction payment,
payment pay checkout invoice bill, dollar euro currency, exchange rate currency,
gas fee blockchain, token crypto, earning revenue profit income, dividend stock, etf fund stock,
rent rental lease apartment, mortgage loan, buy sell trade,
phone smartphone iphone device gadget electronic product, laptop computer hardware,
appliance product, sneaker shoe clothing, jewelry product, makeup beauty, hairstyle hair,
theatre theater show, show series tv episode, anime manga, cartoon comic,
actor actress cast celebrity, director film movie, album music, playlist music song,
guitar piano instrument music, karaoke lyric, radio podcast, streaming stream watch,
library book, ebook book, essay writing article, grammar spelling proofread, rewrite paraphrase,
citation reference bibliography, paper publication, thesis research,
biology chemistry physics science, medicine health, nurse doctor, hospital clinic,
vaccine covid disease, allergy health, vitamin supplement nutrition, protein calorie,
vegetarian vegan recipe, ingredient recipe, bake cake recipe, breakfast lunch dinner meal,
pizza food restaurant, grocery food supermarket, weight diet, gym workout training, yoga workout,
run running jog, cycling bike bicycle, hike trail outdoor, camp park outdoor, beach sea travel,
cruise ship boat, vessel ship boat, museum attraction sightseeing, landmark attraction,
visa passport travel, tourist travel, flight plane aircraft, departure arrival schedule,
station train bus, traffic road route, gasoline fuel petrol, charger charge, repository code,
function method code, python javascript java program code, debug bug error,
deploy deployment release, container docker kubernetes, virtual machine server, api endpoint,
regex pattern, json xml, table row column, csv table, backup restore, folder directory,
filename file, compress zip archive, merge combine join, split divide,
translate english spanish french german chinese japanese, dictionary definition meaning word,
vocabulary word, synonym thesaurus, pronunciation speech, speak speech voice, listen audio,
transcribe transcript transcription subtitle caption, screenshot screen capture, scan ocr,
handwriting text, signature sign, form survey, vote poll, census population demographic,
country nation, city town, state province, zip postal postcode, neighborhood district,
coordinate latitude longitude, elevation altitude, sunrise sunset, moon lunar, satellite space,
star astronomy, rocket launch space, mars nasa planet, storm hurricane weather, snow weather,
wind weather, humidity weather, forecast outlook, carbon emission climate,
recycle waste environment, animal wildlife species, bird species, horse animal, insect species,
tree plant, flower plant, fertilizer crop soil, calendar date, birthday calendar,
anniversary date, alarm reminder timer, countdown timer, deadline due, project task,
team collaboration, kanban board task, goal habit, productivity task, mind brain,
personality psychology, therapy counseling, anxiety mental, motivation coach coaching,
advice guidance, lawyer legal, patent trademark, police emergency, fire emergency,
disaster emergency, news current, press news, journalist news, politician politics,
president government politics, war conflict news, economy economic, inflation economy,
gdp economy, trade tariff export, customer client, crm customer, support helpdesk ticket,
chatbot assistant, conversation chat dialogue, comment reply, follower follow social,
hashtag social, influencer social, subscriber channel, newsletter email, spam email,
notification alert, subscribe subscription, member membership, user account profile,
username user, permission access role, token authentication, hash checksum, secure security,
vulnerability security, firewall network, port network, bandwidth network speed, wifi network,
device sensor, temperature thermostat, light lamp bulb, camera surveillance, door lock,
robot automation, automate automation workflow, trigger workflow, integration connect,
plugin extension, template layout, slide presentation, poster flyer design, banner advertising,
website landing, blog article post, publish post, wordpress blog website, render image,
resize crop image, background image, avatar profile, portrait photo, sketch drawing,
paint painting art, sculpture art, 3d model, animation video, video record, subtitle video,
meme funny, riddle puzzle, trivia quiz, sudoku puzzle, crossword puzzle, dice roll random,
lottery lotto random, casino bet gambling odds, tournament match, champion championship,
score standing, coach team, basketball nba, football nfl, baseball mlb, hockey nhl, tennis match,
golf course, racing race driver, chess move, minecraft game, character role,
quest adventure game, dragon fantasy, tarot card, zodiac sign, dream meaning, prayer bible,
church religion, islam quran, angle triangle geometry, circle radius circumference,
rectangle square area, perimeter circumference, integral derivative calculus, matrix vector,
probability statistic, average mean median, percentage percent, fraction ratio, root square,
prime factor, sort order, force acceleration, velocity speed, voltage current electric,
resistance circuit, frequency wave, pressure density, molecule atom chemical,
gene dna genetic genome, cell biology, evolution fossil, 순위 랭킹 차트, 시각 시간,
가격 금액 비용 요금 얼마, 잔액 잔고, 화폐 통화, 환율 환전, 주가 주식, 사진 그림 이미지,
음악 노래, 영화 필름, 식당 맛집, 날씨 기온, 번역 통역, 일정 약속, 메일 이메일,
문자 메시지 메세지, 비트코인 이더리움 코인 암호화폐 가상화폐, 검색 조회, 삭제 제거,
추가 등록 저장, 수정 변경, 예약 예매, 회의 미팅, 지도 위치, 뉴스 기사, 할인 세일, 图片 照片 图像,
价格 费用 价钱, 电影 影片, 音乐 歌曲, 酒店 宾馆, 航班 机票, 天气 气温, 邮件 邮箱, 日程 日历,
股票 股价, 货币 汇率, 删除 移除, 查询 搜索 查找, 新闻 资讯, 餐厅 饭店, 汽车 车辆, 预订 预约,
سعر تكلفة ثمن, رحلة سفر, فندق إقامة, طقس حرارة, فيلم سينما, أغنية موسيقى, خبر أخبار, سهم أسهم,
مسافة مسار, شراء تسوق
`

/** Built by the first search, because most programs load the library without searching at once. */
let related: ReadonlyMap<string, ReadonlySet<string>> | undefined

const NONE: ReadonlySet<string> = new Set()

/** Returns the terms that are related to a term; empty for most. */
export function relatedTerms(term: string): ReadonlySet<string> {
  related ??= relate(GROUPS.trim().split(/,\s+/))
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
