import assert from 'node:assert/strict';
import { codePointCount } from '../../../src/core/platform/text.ts';
import { estimateText } from '../../../src/core/tokens/estimate.ts';
import { loadO200k } from '../../../src/core/tokens/o200k.ts';

/**
 * Claude's tokens per 1,000 characters, by both vocabularies: published counts of the whole Universal Declaration of
 * Human Rights (UN) in that language, divided by its length; and a passage of it.
 */
const RATES: Record<string, [older: number, newer: number, passage: string]> = {
  english: [
    190,
    277,
    'Everyone has the right freely to participate in the cultural life of the community, to enjoy the arts and to share in scientific advancement and its benefits. Everyone has duties to the community in which alone the free and full development of his personality is possible. These rights and freedoms may in no case be exercised contrary to the purposes and principles of the United Nations.',
  ],
  german: [
    318,
    450,
    'Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt und sollen einander im Geiste der Brüderlichkeit begegnen. Jeder ist bei der Ausübung seiner Rechte und Freiheiten nur den Beschränkungen unterworfen, die das Gesetz ausschließlich zu dem Zweck vorsieht, die Anerkennung und Achtung der Rechte und Freiheiten anderer zu sichern.',
  ],
  french: [
    281,
    361,
    'Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de conscience et doivent agir les uns envers les autres dans un esprit de fraternité. Toute personne a le droit de prendre part librement à la vie culturelle de la communauté, de jouir des arts et de participer au progrès scientifique et aux bienfaits qui en résultent.',
  ],
  spanish: [
    263,
    360,
    'Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como están de razón y conciencia, deben comportarse fraternalmente los unos con los otros. Estos derechos y libertades no podrán, en ningún caso, ser ejercidos en oposición a los propósitos y principios de las Naciones Unidas.',
  ],
  portuguese: [
    266,
    362,
    'Todos os seres humanos nascem livres e iguais em dignidade e direitos. São dotados de razão e consciência e devem agir em relação uns aos outros com espírito de fraternidade. Toda pessoa tem o direito de participar livremente da vida cultural da comunidade, de fruir as artes e de participar do processo científico e de seus benefícios.',
  ],
  polish: [
    316,
    440,
    'Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni rozumem i sumieniem i powinni postępować wobec innych w duchu braterstwa. Każdy człowiek ma obowiązki wobec społeczeństwa, bez którego niemożliwy jest swobodny i pełny rozwój jego osobowości.',
  ],
  turkish: [
    399,
    504,
    'Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler ve birbirlerine karşı kardeşlik zihniyeti ile hareket etmelidirler.',
  ],
  finnish: [
    341,
    454,
    'Kaikki ihmiset syntyvät vapaina ja tasavertaisina arvoltaan ja oikeuksiltaan. Heille on annettu järki ja omatunto, ja heidän on toimittava toisiaan kohtaan veljeyden hengessä.',
  ],
  vietnamese: [
    404,
    427,
    'Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi. Mọi con người đều được tạo hoá ban cho lý trí và lương tâm và cần phải đối xử với nhau trong tình bằng hữu.',
  ],
  indonesian: [
    337,
    459,
    'Semua orang dilahirkan merdeka dan mempunyai martabat dan hak-hak yang sama. Mereka dikaruniai akal dan hati nurani dan hendaknya bergaul satu sama lain dalam semangat persaudaraan.',
  ],
  russian: [
    338,
    338,
    'Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и должны поступать в отношении друг друга в духе братства. Каждый человек имеет право свободно участвовать в культурной жизни общества, наслаждаться искусством, участвовать в научном прогрессе и пользоваться его благами.',
  ],
  greek: [
    606,
    608,
    'Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα. Είναι προικισμένοι με λογική και συνείδηση, και οφείλουν να συμπεριφέρονται μεταξύ τους με πνεύμα αδελφοσύνης.',
  ],
  hebrew: [
    639,
    639,
    'כל בני אדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון, לפיכך חובה עליהם לנהוג איש ברעהו ברוח של אחווה.',
  ],
  arabic: [
    608,
    608,
    'يولد جميع الناس أحرارًا متساوين في الكرامة والحقوق. وقد وهبوا عقلاً وضميرًا وعليهم أن يعامل بعضهم بعضًا بروح الإخاء.',
  ],
  hindi: [
    623,
    623,
    'सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है। उन्हें बुद्धि और अन्तरात्मा की देन प्राप्त है और परस्पर उन्हें भाईचारे के भाव से बर्ताव करना चाहिए।',
  ],
  thai: [
    835,
    835,
    'มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ต่างมีเหตุผลและมโนธรรม และควรปฏิบัติต่อกันด้วยเจตนารมณ์แห่งภราดรภาพ',
  ],
  japanese: [
    893,
    893,
    'すべての人間は、生れながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられており、互いに同胞の精神をもって行動しなければならない。',
  ],
  chinese: [982, 982, '人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。'],
  korean: [
    972,
    972,
    '모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았으며 서로 형제애의 정신으로 행동하여야 한다.',
  ],
};

describe('Claude estimates by writing system', () => {
  before(() => loadO200k());

  for (const [language, [older, newer, passage]] of Object.entries(RATES)) {
    it(`A15: ${language} is within -10% / +30% of published counts for both vocabularies`, () => {
      const characters = codePointCount(passage);
      for (const [model, rate] of [
        ['claude-opus-4-5', older],
        ['claude-opus-4-7', newer],
      ] as const) {
        const tokens = estimateText(passage, { provider: 'anthropic', model });
        const error = tokens / ((rate * characters) / 1_000) - 1;
        assert.ok(error >= -0.1 && error <= 0.3, `${model}: ${(error * 100).toFixed(1)}%`);
      }
    });
  }

  it('counts a text of several languages as it counts each of them', () => {
    const passages = Object.values(RATES).map(([, , passage]) => passage);
    for (const model of ['claude-opus-4-5', 'claude-opus-4-7']) {
      const count = (text: string) => estimateText(text, { provider: 'anthropic', model });
      const apart = passages.reduce((sum, passage) => sum + count(passage), 0);
      const together = count(passages.join('\n'));
      assert.ok(Math.abs(together / apart - 1) < 0.05, `${together} together, ${apart} apart`);
    }
  });

  it('charges accented words in English and code hardly more than plain ones', () => {
    const count = (text: string) => estimateText(text, { provider: 'anthropic', model: 'claude-opus-4-7' });
    const plain = 'The cafe near the station sells naive art, and the waiter reads the logs of our server. '.repeat(20);
    const accented = plain.replaceAll('cafe', 'café').replaceAll('naive', 'naïve');
    assert.ok(count(accented) / count(plain) < 1.15);
  });
});
