/** One word after the other; one that ends in `*` stands for all that begin so, as compounds and endings do. */
function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/**
 * Words of headings that speak of somebody, in English, Spanish, French, German, Italian, Portuguese and Dutch, as names
 * are compared: lower case, without accents. `comes` is whom a list is about; `other` is never the guest: who pays, books,
 * is called in an emergency, or belongs to the guest; `unsure` is either, as the other columns tell.
 */
export const PEOPLE_WORDS = {
  comes: words(`
    attendee* participant* delegate* guest* visitor* ticket* holder* ticketholder* speaker* exhibitor* student* pupil*
    child children passenger* traveler* traveller* invitee* entrant* competitor*
    asistente* participante* invitad* visitante* ponente* entrada* alumn* expositor*
    invite invites visiteur* billet* beneficiaire* eleve* enfant* congressiste* intervenant*
    teilnehm* gast* gaest* besucher* kind kindes vortragend* aussteller*
    partecipant* ospit* visitator* invitat* bigliett* iscritt* relator* espositor*
    convidad* bilhete* ingresso* inscrit*
    deelnem* bezoeker* genodigd* kaarthouder* spreker*
  `),
  other: words(`
    buyer* purchas* payer* payor* payee* payment* paying paid paypal billing billed invoic* order* bought book booked booker*
    booking* books emergency* manager* assistant* pa secretar* refer referr* referral* referee* recommend* by host* organiser*
    organizer* partner* spouse* husband wife parent* guardian* mother* father* mom mum dad sponsor* agent* agency supervis*
    boss approver* accountant* accounting finance owner* kin carer* caregiver* colleague* friend* cardholder* card
    shipping transaction* donor* nominator* created teacher*
    comprador* pagador* pago pedido* factur* emergencia* jefe jefa gerente* padre* madre* tutor* pareja conyuge*
    patrocinador* recomend* agente* reserva* contratante*
    achet* payeur* paiement* commande* urgence* parrain* conjoint* pere mere parents tuteur* tutrice* reservation*
    accompagnateur*
    kaufer* kaeufer* besteller* bestell* rechnung* notfall* zahler* zahlend* zahlung* bezahl* vorgesetzt* anmelder*
    anmeldend* buchend* bucher* buchung* auftraggeb* assistent* assistenz* ehepartner* eltern* mutter* vater*
    erziehungsberechtigt* agentur* betreuer* sekretar* empfehl* geworben* kontoinhaber* liefer* lebensgefahrt*
    acquirent* pagant* pagamento* ordin* fattur* emergenz* comprator* prenota* genitor* coniuge* tutore* segretari*
    fatura* encomenda* mae pai conjuge* responsaveis
    koper* betal* bestel* factuur* nood* boeker* boeking* ouder* verzorger* voogd* leidinggevend* aanmelder* opdrachtgever*
  `),
  unsure: words(`
    contact* kontakt* contatt* contato* registrant* customer* client* kunde* klant* member* mitglied* applicant* bewerber*
    user* benutzer* account* ansprech* person who whoever lead titular* titolar* responsab* responsav* inhaber* referent*
    recipient* requester* respondent* miembro* membre* soci* titulaire*
  `),
} as const;

/** Words beside a name that speak of nobody in particular: `What is your first name?` */
export const WORDS_OF_NOBODY: readonly string[] = words(`
  what is your you please enter give us the a an and which can we at
  ihr ihre ihren dein deine bitte wie ist und tu su tus sus cual es y votre vos quel quelle est et il tuo suo la e
  qual seu sua o a uw je wat jouw
`);

/** Words that say nothing more beside another word for somebody: `Ticket holder`, `Contact person`. */
export const WORDS_OF_ANYBODY: readonly string[] = ['holder', 'person', 'inhaber'];
