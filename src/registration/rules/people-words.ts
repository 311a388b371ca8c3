import { foldLetters } from './fold-letters.ts';

/** One word after the other; one that ends in `*` stands for all that begin so, as compounds and endings do. */
function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/**
 * Words that speak of somebody, in English, Spanish, French, German, Italian, Portuguese and Dutch, as names are compared:
 * lower case, without accents. `comes` is whom a list is about; `other` is never the guest: who pays, books,
 * is called in an emergency, or belongs to the guest; `unsure` is either, as the other columns tell.
 */
const PEOPLE_WORDS = {
  comes: words(`
    attendee* participant* delegate* guest* visitor* ticket* holder* ticketholder* speaker* exhibitor* student* pupil*
    passenger* traveler* traveller* invitee* entrant* competitor*
    asistente* participante* invitad* visitante* ponente* entrada* alumn* alun* expositor*
    invite invites visiteur* billet* beneficiaire* eleve* congressiste* intervenant*
    teilnehm* gast* gaest* besucher* vortragend* aussteller*
    partecipant* ospit* visitator* invitat* bigliett* iscritt* relator* espositor*
    convidad* bilhete* ingresso* inscrit*
    deelnem* bezoeker* genodigd* kaarthouder* spreker*
  `),
  other: words(`
    buyer* purchas* payer* payor* payee* payment* paying paid paypal billing billed invoic* order* bought book booked booker*
    booking* books emergency* manager* assistant* pa secretar* refer referr* referral* referee* recommend* by host* organiser*
    organizer* partner* spouse* husband wife parent* guardian* mother* father* mom mum dad sponsor* agent* agency supervis*
    boss approver* accountant* accounting finance owner* kin carer* caregiver* colleague* friend* cardholder* card
    shipping transaction* donor* nominator* created teacher* ice ea son sons daughter* nanny nannies babysitter* sibling*
    brother* sister* aunt* uncle* grandparent* grandmother* grandfather* grandma grandpa stepmother* stepfather* fiance*
    girlfriend* boyfriend* relative* neighbour* neighbor* bookkeeper* chaperone*
    comprador* pagador* pago pedido* factur* emergencia* jefe jefa gerente* padre* madre* tutor* pareja conyuge*
    patrocinador* recomend* agente* reserva* contratante* hijo hija hijos ninera* abuel* hermano hermana tio tia esposo
    esposa marido novio novia prometid* cuidador* contable*
    achet* payeur* paiement* commande* urgence* parrain* conjoint* pere mere parents tuteur* tutrice* reservation*
    accompagnateur* prevenir fils fille nourrice* nounou* frere soeur oncle tante epoux epouse mari compagne voisin* comptab*
    kaufer* kaeufer* besteller* bestell* rechnung* notfall* zahler* zahlend* zahlung* bezahl* vorgesetzt* anmelder*
    anmeldend* buchend* bucher* buchung* auftraggeb* assistent* assistenz* ehepartner* eltern* mutter* vater*
    erziehungsberechtigt* agentur* betreuer* sekretar* empfehl* geworben* kontoinhaber* liefer* lebensgefahrt* lebenspartner*
    sohn* tochter* tagesmutter* kindermadchen* grosseltern* grossmutter* grossvater* oma opa bruder* schwester* onkel
    ehefrau* ehemann* ehegatt* verlobte* freund* nachbar* vormund* buchhalt* steuerberat*
    acquirent* pagant* pagator* pagatric* pagamento* ordin* fattur* emergenz* comprator* prenota* genitor* coniuge* tutore* segretari*
    figlio figlia figli tata bambinai* nonno nonna fratell* sorell* zio zia marito moglie fidanzat* vicino commercialist*
    fatura* encomenda* mae pai conjuge* responsaveis encarregad* educacao filho filha filhos baba avo irmao irma esposa
    mulher namorada namorado namorad* vizinh* contabilist*
    koper* betal* bestel* factuur* nood* boeker* boeking* ouder* verzorger* voogd* leidinggevend* aanmelder* opdrachtgever*
    zoon dochter* oppas* broer* zus oom echtgenote echtgenoot echtgeno* vriend* buurman buurvrouw boekhoud*
  `),
  unsure: words(`
    contact* kontakt* contatt* contato* registrant* customer* client* kunde* klant* member* mitglied* applicant* bewerber*
    user* benutzer* account* ansprech* person who whoever lead titular* titolar* responsab* responsav* inhaber* referent*
    recipient* interlocut* requester* respondent* miembro* membre* soci* titulaire* child children kid kids kind kindes kinder* enfant*
    nino nina ninos bambin* crianca* persona personne pessoa persoon
  `),
} as const;

/** Words beside a name that speak of nobody in particular: `What is your first name?` */
export const WORDS_OF_NOBODY: readonly string[] = words(`
  what is your you please enter give us the a an and which can we at
  ihr ihre ihren dein deine bitte wie ist und tu su tus sus cual es y votre vos quel quelle est et il tuo suo la e
  qual seu sua o a uw je wat jouw
`);

/** Whoever fills in a form: what stands right behind `your` is theirs, and so is what reaches `you`. */
export const WORDS_OF_THE_READER = {
  your: words('your ihr ihre ihren dein deine deinen tu su votre ton ta tuo tua seu sua uw je jouw'),
  you: words('you sie ihnen dich dir vous usted te voce'),
};

/** Words that say nothing more beside another word for somebody: `Ticket holder`, `Contact person`. */
export const WORDS_OF_ANYBODY = words('holder person persona personne pessoa persoon inhaber');

/** Words that say which of several addresses of somebody it is: `Work e-mail`. */
export const WORDS_OF_WHICH: readonly string[] = words(`
  work private business personal professional corporate company office home landline university school college official
  secondary second alternative other direct day evening privat private dienstlich dienstliche geschaftlich geschaftliche
  beruflich berufliche firma festnetz trabajo profesional particular corporativo laboral privado empresa fijo professionnel
  professionnelle personnel personnelle perso prive pro travail bureau domicile fixe entreprise lavoro aziendale personale
  privato ufficio casa fisso trabalho pessoal profissional zakelijk werk vast thuis jobb arbeid arbejde arbete hjem hem kontor
`);

/** Words beside an address that say how to write it or that it is the first; not whose. */
export const WORDS_OF_ADDRESSES: readonly string[] = [
  ...WORDS_OF_WHICH,
  ...words(`
  own eigene propio propre proprio mobile primary main preferred best current valid contact number no nr id address reach send
  to for with incl including country code prefix international format confirm cell phone email in vorwahl mit nummer unter
  erreichbar fur wir sie zur contacto con principal numero avec principale com
`),
];

const WORDS_OF_THE_PAST = words(`
  old former formerly previous ex not invalid wrong outdated expired inactive bounced alt alte ehemalig* fruher* veraltet*
  ungultig* falsch* nicht antigu* antig* anterior viejo ancien* precedent* pas vecchi* errat* non nao oud oude vorige niet
`);

/** The first that a heading has is its own. */
export const ROLES = ['other', 'comes', 'unsure'] as const;

/** A word for somebody, and how far it goes: a compound may have more. */
export interface PersonWord {
  role: (typeof ROLES)[number];
  stem: string;
}

/** The longest first. */
const STEMS = ROLES.flatMap((role) =>
  PEOPLE_WORDS[role].map((word) => ({ role, word, stem: word.replace('*', '') })),
).sort((one, other) => other.stem.length - one.stem.length);

const isWord = (token: string, word: string): boolean =>
  word.endsWith('*') ? token.startsWith(word.slice(0, -1)) : token === word;

/** What somebody does is not who it is: `Workshops to book`. */
const VERBS: ReadonlySet<string> = new Set([
  'to book',
  'to order',
  ...words('bestellen reservar commander acheter ordinare prenotare'),
]);

/** Whom a word speaks of, behind another one; they are given as names are compared. */
export function personWord(token: string, before = ''): PersonWord | undefined {
  if (VERBS.has(token) || VERBS.has(`${before} ${token}`)) return undefined;
  return STEMS.find(({ word }) => isWord(token, word));
}

/** How many words of a text say that an address beside it is somebody else's, or no longer anybody's. */
export function wordsAgainst(text: string): { all: number; against: number } {
  const tokens = (text.match(/[\p{L}\p{M}]+/gu) ?? []).map(foldLetters);
  const isPast = (token: string): boolean => WORDS_OF_THE_PAST.some((word) => isWord(token, word));
  const against = tokens.filter((token) => personWord(token)?.role === 'other' || isPast(token));
  return { all: tokens.length, against: against.length };
}
