// Generated from the Rust types of the records. Do not edit.

/** What the status rests on. */
export interface AgentCliCompatibilityEvidence {
  /** When that shape was last seen. */
  observed_at: UtcTime | null;
  /** Whether the version was seen with several shapes. */
  server_variant_possible: boolean;
  /** The shape that was matched, or the newest one of the range. */
  shape_signature: Sha256 | null;
  /** Where it comes from. */
  source: EvidenceSource;
  /** The range of the matrix that the version is in. */
  version_range: VersionRange | null;
}

/** The answer for all agents, sorted by id. */
export interface AgentCliCompatibilityList {
  /** One answer an agent. */
  agents: Array<AgentCliCompatibilityResponse>;
  /** When it was made. */
  generated_at: UtcTime;
  /** Always 1. */
  schema_version: SchemaVersion;
}

/** What follows from the status. */
export interface AgentCliCompatibilityPolicy {
  /** Whether the host runs it. */
  allow_run: AllowRun;
  /** What the person can do. */
  user_action: CompatibilityAction;
}

/** What may be asked. */
export interface AgentCliCompatibilityRequest {
  /** The agent; all of them when it is left out. */
  agent?: AgentId | null;
  /**
   * Whether the CLI may be run to see its active shape.
   * Default: `false`.
   */
  probe?: boolean;
}

/** The answer for one agent. Member order is the order of the printed JSON; web pages rely on it. */
export interface AgentCliCompatibilityResponse {
  /** The agent. */
  agent: AgentId;
  /** What it rests on. */
  evidence: AgentCliCompatibilityEvidence;
  /** When it was made. */
  generated_at: UtcTime;
  /** What is installed; `null` when nothing is, or its version cannot be read. */
  installed_version: CliVersion | null;
  /** Where. */
  platform: Platform;
  /** What follows. */
  policy: AgentCliCompatibilityPolicy;
  /** Always 1. */
  schema_version: SchemaVersion;
  /** How far it is verified. */
  status: SupportStatus;
}

/** One agent, as readers of the registry need it. */
export interface AgentEntry {
  /** Those of them that it is exempt from, with the reason. */
  exempt_probes: Record<string, string>;
  /** Its id. */
  id: AgentId;
  /** The probes that it needs before its coverage counts as whole, in the order of the list. */
  minimum_probes: Array<string>;
  /** What is not covered, in words. */
  missing: Array<string>;
  /** What people call it. */
  name: string;
  /** The protocol families that records may name for it, sorted. */
  protocol_families: Array<FamilyId>;
  /** It is scanned and never captured. */
  scan_only: boolean;
  /**
   * How many days a claim about it stays fresh after the last observation.
   * Default: `30`.
   */
  stale_after_days?: number;
  /**
   * What claims about it may say beyond what was observed.
   * Default: `{}`.
   */
  support?: SupportDef;
  /** 0, 1 or 2. */
  tier: number;
  /** The transports of those families, sorted. */
  transports: Array<Transport>;
  /**
   * The order of its versions.
   * Default: `"semver"`.
   */
  version_scheme?: VersionScheme;
}

/** Format: agent id in kebab-case such as gemini-cli. */
export type AgentId = string;

/** `contracts/registry/agents.json`. */
export interface AgentsFile {
  /** Every agent, by id. */
  agents: Array<AgentEntry>;
  /** Always 1. */
  schema_version: SchemaVersion;
}

/** What an alert is about. Its word is the label of the issue. */
export type AlertKind = "source_protocol_risk";

/** One alert at one place. Member order is the order on disk. */
export interface AlertReceipt {
  /** The agent. */
  agent: AgentId;
  /** When this was written. */
  at: UtcTime;
  /** How often it was tried. */
  attempts: number;
  /** The sink's own code of the last answer; 0 is success at Feishu. */
  code?: number | null;
  /** The fingerprint of the alert. */
  fingerprint: Sha256;
  /** What the alert is about. */
  kind: AlertKind;
  /** The number of the issue, or what else the sink calls it. */
  number?: number | null;
  /** Not to be tried again before. */
  retry_after?: UtcTime | null;
  /** Always 1. */
  schema_version: SchemaVersion;
  /** Where it was told. */
  sink: Sink;
  /** Where it stands there. */
  state: ReceiptState;
  /** The version or channel that it is about. */
  subject: string;
  /** The hash of the text that was sent, or is being sent. */
  text_sha256: Sha256;
  /** What can be opened by anybody, such as the issue. */
  url?: HttpsUrl | null;
  /** Why it is not told, for people; no text of the sink that could hold a secret. */
  why?: Text | null;
}

/** Whether a host runs it. */
export type AllowRun = "allow" | "warn" | "block";

/** What a run says about one evidence record, finding by finding. */
export interface Answer {
  /** The evidence record. */
  evidence: EvidencePath;
  /** By the id of the finding. */
  findings: Record<string, AnswerKind>;
}

/** What a run says about a finding of source evidence. */
export type AnswerKind = "confirmed" | "refuted" | "not_reached";

/** A person's word, with what it rests on. */
export interface Attestation {
  /**
   * What they looked at. Not empty where the decision rests on captures.
   * Default: `[]`.
   */
  artifacts?: Array<AttestedArtifact>;
  /** When. */
  at: UtcTime;
  /** Their login where the tree is hosted. No name and no address. */
  by: Login;
  /** They checked that the sanitised transcripts hold nothing that must not be published. */
  redaction_checked: boolean;
  /** In which role. */
  role: AttestedBy;
  /** In their words. */
  statement?: Text | null;
  /** The version of the tool that they checked with. */
  tool_version: Semver;
  /** Where the decision can be read, such as a pull request. */
  url?: HttpsUrl | null;
}

/** One capture that somebody looked at. */
export interface AttestedArtifact {
  /** The raw bundle: `capture.raw_client_transcript_sha256` of the observation. */
  raw_sha256: Sha256;
  /** The sanitised transcript: `extensions.evidence.sanitized_sha256` of the observation. */
  sanitized_sha256: Sha256;
}

/** In which role somebody attests. */
export type AttestedBy = "maintainer" | "contributor";

/** Who cancelled. */
export type CancelOrigin = "user_stop" | "project_cleanup" | "daemon_shutdown" | "unknown";

/** What was recorded. */
export interface Capture {
  /** When the CLI was started. */
  captured_at: UtcTime;
  /** Who may see the raw bytes. */
  raw_artifact_visibility: RawVisibility;
  /** The hash of the raw bundle of both pipes and the process. */
  raw_client_transcript_sha256: Sha256;
  /**
   * The hash of all raw bytes on standard error. Required where the fixture has any.
   * Default: `null`.
   */
  raw_stderr_sha256?: Sha256 | null;
  /**
   * The hash of all raw bytes on standard output. Required where the fixture has any.
   * Default: `null`.
   */
  raw_stdout_sha256?: Sha256 | null;
  /** The image or name of the machine, as in `github-actions/macos-15-arm64`. */
  runner: Text;
  /**
   * The run of the automation that made it.
   * Default: `null`.
   */
  workflow_run_url?: HttpsUrl | null;
}

/** One protocol family of captures. */
export type CapturedFamily = "plain/v1" | "claude-stream-json/v1" | "json-event-stream/v1" | "qoder-stream-json/v1" | "copilot-stream-json/v1" | "acp-json-rpc/v1" | "pi-rpc/v1" | "codex-app-server/v1" | "dsh-profile-jsonl/v1";

/** What one channel says of a release. */
export interface ChannelRelease {
  /** The commit that its tag points at, peeled. */
  commit?: string | null;
  /** The vendor's words when it is deprecated. */
  deprecated?: string | null;
  /** When the channel says it was published, UTC. */
  published_at?: UtcTime | null;
  /** Withdrawn from this channel. */
  withdrawn: boolean;
}

/** What the classifier is given. The names are those of the daemon. */
export interface ClassifierInput {
  /** Who cancelled it. */
  cancelOrigin?: CancelOrigin | null;
  /**
   * The daemon's error code.
   * Default: `null`.
   */
  errorCode?: Text | null;
  /**
   * The daemon's events, oldest first.
   * Default: `[]`.
   */
  events?: Array<DaemonEvent>;
  /** How the run ended. */
  result: RunResult;
  /** The status of the run. */
  status: RunStatus;
  /** What ended it. */
  terminalTrigger?: TerminalTrigger | null;
}

/** Which classifier wrote the optional members. */
export type ClassifierVersion = "run-failure-v2" | "run-failure-v3";

/** Format: exact version such as 0.133.0. */
export type CliVersion = string;

/** How the CLI was started. */
export interface Command {
  /** The arguments after the binary; secrets and paths are templates such as `{cwd}`. */
  argv_template: Array<string>;
  /** How input reaches it. */
  stdin_mode: StdinMode;
}

/** What the person can do. */
export type CompatibilityAction = "none" | "run_local_probe" | "upgrade_cli" | "pin_supported_version" | "report_unknown_shape";

/** How many findings there are of each severity. */
export interface Counts {
  additive: number;
  breaking: number;
  none: number;
  risky: number;
}

/** What credentials the CLI finds. */
export type Credentials = "valid" | "absent" | "invalid" | "expired";

/** One event that the host's daemon would send to its clients. */
export interface DaemonEvent {
  /** What it carries. */
  data: unknown;
  /** Its name: `start`, `agent`, `stderr`, `error`, `diagnostic`, … */
  event: Text;
}

/** A piece of a stream. Where it is cut says nothing: lines are put together again. */
export interface DataChunk {
  /** Milliseconds since the start, never falling. */
  at_ms: number;
  /** The text, sanitised. */
  data: string;
  /** Which way it went. */
  dir: FrameDirection;
  /** Over which pipe. */
  stream: Stream;
}

/** A file, or a span of it, that was not read in full. */
export interface Degraded {
  /** Path from the root. */
  file: string;
  /** Names of declarations inside the span, as far as they could be guessed. They are unknown, not removed. */
  hides: Array<string>;
  /** First and last line of the span, from 1; `None` for the whole file. */
  lines?: [number, number] | null;
  /** Why, for people: `syntax error`, `content unavailable: LFS pointer`, `over the budget of 5 MB`. */
  why: string;
  [member: string]: unknown;
}

/** Which way a value travels. */
export type Direction = "output" | "input" | "both" | "unknown";

/** How an unchanged host suffers. */
export type Domain = "decode_fatal" | "silent_loss" | "request_rejected" | "additive" | "cosmetic";

/** Format: name of an environment variable. */
export type EnvName = string;

/** `probes/ID/env-policy.json`: what is different in the environment of a probe about a failure. */
export interface EnvPolicy {
  /** What credentials the CLI finds. */
  credentials: Credentials;
  /**
   * What must not be in it.
   * Default: `[]`.
   */
  forbidden?: Array<ForbiddenContent>;
  /**
   * What must be seen all the same.
   * Default: `[]`.
   */
  must_see?: Array<EventMeaning>;
  /** What of the network it can reach. */
  network: Network;
  /**
   * Variables that are set. A value may hold `{cwd}` and `{home}`.
   * Default: `{}`.
   */
  set?: Record<string, string>;
  /**
   * Variables that are taken away, besides those that hold credentials.
   * Default: `[]`.
   */
  unset?: Array<EnvName>;
}

/** One failure with the verdict that is expected. Member order is the order on disk. */
export interface ErrorCase {
  /** A registered agent. */
  agent: AgentId;
  /** What the classifier is given. */
  classifier_input: ClassifierInput;
  /** What it must say: `null` only for a run that succeeded. */
  expected_failure_classification: RunFailureClassification | null;
  /** The error probe that it was given. */
  probe: ProbeId;
  /** The hash of the raw transcript that it was made from. */
  raw_shape: Sha256;
  /** Always 1. */
  schema_version: SchemaVersion;
}

/** What a CLI must be seen to do, whatever its events are called. The agent's file says which wire events mean it. */
export type EventMeaning = "init_or_status" | "assistant_text" | "tool_use" | "tool_result" | "usage" | "error" | "done";

/** `source-evidence/index.json`. */
export interface EvidenceIndex {
  /** Always 1. */
  schema_version: SchemaVersion;
  /** The steps, sorted by agent, newer version, family, older version and source. */
  steps: Array<IndexStep>;
}

/** What the verdict rests on. */
export type EvidenceLevel = "structured_code" | "lifecycle_signal" | "legacy_text" | "protocol_error" | "stderr_fallback" | "close_reason" | "unknown";

/** Format: path relative to the tree, or https address. */
export type EvidenceLink = string;

/** Format: path of an evidence record such as source-evidence/codex/0.133.0/0a1b2c3d.evidence.json. */
export type EvidencePath = string;

/** The evidence record of the specification's "Validity Levels". */
export interface EvidenceRecord {
  /** A maintainer's word that the raw bytes were checked before publication. */
  attestation?: Attestation | null;
  /** The version of the capture tool. */
  capture_tool_version: Semver;
  /** Until when it is kept. */
  raw_kept_until?: UtcTime | null;
  /** How many days the raw artifact is kept; 0 when it was discarded after redaction. */
  raw_retention_days: number;
  /** The hash of the raw artifact. */
  raw_sha256: Sha256;
  /** Somebody else's reproduction, which can promote it. */
  reproduction?: HttpsUrl | null;
  /** The hash of the public sanitised transcript of this run. The fixture has it when this run was the shape's first. */
  sanitized_sha256: Sha256;
}

/** Where a status comes from. */
export type EvidenceSource = "local_probe" | "support_matrix" | "known_breaking" | "none";

/** How the process ended. */
export type Exit = "success" | "nonzero" | "signal" | "timeout" | "unknown";

/** `probes/ID/expected-min-events.json`. */
export interface ExpectedMinEvents {
  /**
   * What must not be in it.
   * Default: `[]`.
   */
  forbidden?: Array<ForbiddenContent>;
  /** What must be seen. */
  must_see: Array<EventMeaning>;
  /**
   * What may be seen.
   * Default: `[]`.
   */
  optional?: Array<EventMeaning>;
}

/** What the specification has no member for. */
export interface Extensions {
  /** Files and spans that were not read in full, the first hundred. */
  degraded?: Array<Degraded>;
  /**
   * How many of them there are.
   * Default: `0`.
   */
  degraded_total?: number;
  /** What the comparison came down to that could not be read, in words; not empty when it is inconclusive. */
  doubts?: Array<string>;
  /**
   * The hash of the extractors that read the sources.
   * Default: `""`.
   */
  extractor?: string;
  /**
   * What changed, worst first.
   * Default: `[]`.
   */
  findings?: Array<Finding>;
  /**
   * Hash of what makes this record this one; see [`SourceEvidence::identity`].
   * Default: `""`.
   */
  identity?: string;
  /** Types that moved and are the same on the wire. */
  moves?: Array<Move>;
  /** Event types whose members do not all stand in the derived shape, because it would have become too large. */
  shape_cut?: Array<string>;
  /** The two versions that were compared; none for a document or a fixture. */
  step?: Step | null;
  /** Places that could not be resolved, the first hundred. */
  unresolved?: Array<Unresolved>;
  /**
   * How many such places there are.
   * Default: `0`.
   */
  unresolved_total?: number;
  /** What the comparison came to. */
  verdict?: Verdict | null;
  [member: string]: unknown;
}

/** What kind of failure it is. */
export type FailureCategory = "auth" | "rate_limit" | "insufficient_balance" | "entitlement_required" | "model_unavailable" | "prompt_too_large" | "upstream_unavailable" | "timeout" | "empty_output" | "tool_error" | "process_exit" | "user_cancel" | "unknown";

/** What exactly failed. */
export type FailureDetail = "auth_required" | "stale_profile" | "refresh_token_reused" | "missing_api_key" | "invalid_api_key" | "hard_quota" | "model_window_limit" | "workspace_credits_exhausted" | "rate_limit_429" | "amr_insufficient_balance" | "amr_tier_upgrade_required" | "model_not_found" | "model_not_supported" | "model_disabled" | "local_model_not_loaded" | "cli_version_incompatible" | "prompt_too_large" | "request_too_large" | "attachment_media_type_unsupported" | "tool_schema_invalid" | "prompt_tokenization_failed" | "provider_resource_not_found" | "upstream_5xx" | "upstream_client_error" | "stream_disconnected" | "network_error" | "provider_high_demand" | "provider_routing_error" | "inactivity_timeout" | "timeout" | "empty_output" | "tool_error" | "plugin_artifact_missing" | "cli_not_installed" | "git_bash_missing" | "agent_config_invalid" | "spawn_failed" | "spawn_enoexec" | "spawn_ebadf" | "spawn_eperm" | "stdin_write_eof" | "agent_protocol_error" | "session_resume_expired" | "fabricated_role_marker" | "permission_request_not_found" | "qoder_stop_sequence" | "signal_killed" | "process_crashed" | "cpu_unsupported" | "interrupted" | "exit_code" | "terminated_unknown" | "stream_error" | "exit_nonzero" | "fatal_rpc_error" | "execution_failed" | "user_cancelled" | "unknown" | "account_suspended" | "region_not_supported" | "credential_refresh_contention" | "membership_concurrency_limit" | "continuation_incomplete" | "bundled_binary_missing" | "acp_frame_too_large" | "host_policy_block" | "local_storage_failure" | "certificate_failure" | "proxy_configuration" | "network_configuration";

/** On whose side it failed. */
export type FailureDomain = "policy_admission" | "provider_control_plane" | "cross_boundary" | "client_environment" | "client_product" | "unknown";

/** By which mechanism it failed. */
export type FailureMechanism = "policy_rejection" | "provider_rejection" | "transport_failure" | "frame_too_large" | "protocol_violation" | "empty_completion" | "stream_idle_timeout" | "post_tool_resume_timeout" | "acp_response_deadline" | "startup_readiness_timeout" | "first_output_deadline" | "tool_execution_failure" | "child_exit" | "unknown";

/** When it failed: `TrackingRunFailureStage`. */
export type FailureStage = "preflight" | "spawn" | "session_init" | "model_select" | "prompt_send" | "first_token_wait" | "tool_execution" | "tool_outstanding" | "post_tool_resume" | "artifact_write" | "child_close" | "finalize";

/** One protocol family. */
export type FamilyId = "plain/v1" | "claude-stream-json/v1" | "json-event-stream/v1" | "qoder-stream-json/v1" | "copilot-stream-json/v1" | "acp-json-rpc/v1" | "pi-rpc/v1" | "codex-app-server/v1" | "dsh-profile-jsonl/v1" | "scan-only/v1";

/** One protocol change between two wire models. Member order is the order of the printed JSON. */
export interface Finding {
  /** What stands there now; `null` where there is nothing. */
  after: unknown;
  /** What stood there before; `null` where there was nothing. */
  before: unknown;
  /** The subcommand that the flag belongs to, `""` for the program itself. */
  command?: string | null;
  /** Which way the changed value travels. */
  direction: Direction;
  /** How it suffers. */
  domain: Domain;
  /** The event on the shortest way to the change. */
  event_type?: string | null;
  /** The flag, for a flag scan. */
  flag?: string | null;
  /** `sha256:` of rule, direction, shortest path, before and after; never of prose, lines or file names. */
  id: Sha256;
  /** Where it is declared: in the new version, or in the old one for a removal. */
  location: Location;
  /** The path inside that event, in the grammar of DESIGN section 7. */
  path?: string | null;
  /** Every way from a root to the change. */
  reached_by?: ReachedBy | null;
  /** The rule it stands under. */
  rule: string;
  /** How much an unchanged host suffers. */
  severity: Severity;
  /** The declared type that holds the change, in its own case. `None` for a flag. */
  type_name?: string | null;
  /** The changed name alone, as it goes over the wire; `old -> new` for a rename. */
  wire_name?: string | null;
  /** The smallest frame that is valid on one side only. */
  witness?: unknown;
}

/** What no transcript may hold. */
export type ForbiddenContent = "raw_secret" | "local_home_path";

/** Which way a frame goes. `server` is the host. */
export type FrameDirection = "cli->server" | "server->cli";

/** One class of frames: same direction, stream, event type and discriminators. */
export interface FrameShape {
  /** Which way it goes. */
  direction: FrameDirection;
  /** The closed set of values at a path, sorted. */
  enums: Record<string, Array<string>>;
  /** Its name, in the notation of [`agent_contracts_wire::EventType`]. */
  event_type: string;
  /** What stands where in it, sorted by path and type; one entry per type for a union. */
  paths: Array<PathShape>;
  /** On which pipe. */
  stream: Stream;
}

/** Format: commit of 7 to 64 lowercase hex digits. */
export type GitCommit = string;

/** Format: path of a golden such as goldens/open-design-parser/FAMILY/sha256-DIGITS.events.json. */
export type GoldenPath = string;

/** What the host does during a session, besides sending the prompt. */
export type HostStep = {
  /** Files of `fixture-files/` that go with it. */
  attach?: Array<RelPath>;
  do: "send_prompt";
  /** Another file of the folder instead. */
  file?: RelPath | null;
  /** How many bytes of filler follow it. */
  pad_bytes?: number | null;
} | {
  do: "wait_for";
  /** The meaning. */
  event: EventMeaning;
} | {
  do: "answer_permission";
  /** Whether it is granted. */
  grant: boolean;
} | {
  do: "cancel";
} | {
  do: "resume";
} | {
  do: "offer_mcp_server";
  /** The name it is given. */
  name: ProbeId;
} | {
  do: "offer_wrong_handshake";
};

/** Format: https address. */
export type HttpsUrl = string;

/** What makes two captures independent: a day between them, another runner image, another person. */
export type Independence = "time_window" | "runner" | "contributor";

/** One step with its newest record. */
export interface IndexStep {
  /** The agent. */
  agent: AgentId;
  /** How many findings of each severity. */
  counts: Counts;
  /** When it was made, UTC. */
  discovered_at: UtcTime;
  /** The older version. */
  from: string;
  /** The family that was read. */
  protocol_family: FamilyId;
  /** The record, relative to the tree. */
  record: EvidencePath;
  /** The worst finding. */
  severity: Severity;
  /** Where the newer version was read. */
  source: string;
  /** How it stands. */
  standing: Standing;
  /** The newer version. */
  to: string;
  /** What the comparison came to. */
  verdict?: Verdict | null;
}

/** How the CLI got to where it ran. */
export interface Install {
  /**
   * The hash of the binary, when there is one that stays the same.
   * Default: `null`.
   */
  binary_sha256?: Sha256 | null;
  /** A package, binary, source checkout or manual install, as in `npm:@openai/codex@0.133.0`. */
  source: InstallSource;
}

/** Format: install source such as npm:@openai/codex@0.133.0; it starts with npm, pypi, crate, homebrew, git, binary, source or manual. */
export type InstallSource = string;

/** How the CLI was kept apart from the machine. */
export type Isolation = "full" | "weak";

/** A shape that does not work. */
export interface KnownBreakingShape {
  /** A file of the tree or an address that shows it. */
  evidence: EvidenceLink;
  /** What breaks. */
  reason: Text;
  /** Its hash. */
  shape: Sha256;
}

/** Where a change is declared. */
export interface Location {
  /** Path from the root of the repository or package. */
  file: string;
  /** Line, from 1. */
  line: number;
}

/** Format: login such as octocat. */
export type Login = string;

/** A list of files with their hashes. Member order is the order on disk. */
export interface Manifest {
  /** Every file but the manifest itself, sorted by path, once each. */
  files: Array<ManifestFile>;
  /** When it was made. */
  generated_at: UtcTime;
  /** Always 1. */
  schema_version: SchemaVersion;
  /** The version of the tool that made it. */
  tool_version: Semver;
}

/** One file. */
export interface ManifestFile {
  /** How many bytes it has. */
  bytes: number;
  /** Relative to the root of the tree or package. */
  path: RelPath;
  /** The hash of its bytes. */
  sha256: Sha256;
}

/** One claim. */
export interface MatrixEntry {
  /** The agent. */
  agent: AgentId;
  /**
   * Shapes that do not work, with why.
   * Default: `[]`.
   */
  known_breaking_shapes?: Array<KnownBreakingShape>;
  /** When the newest of them was seen; `null` only where none was. */
  last_observed_at: UtcTime | null;
  /**
   * The newest version that discovery or a capture saw.
   * Default: `null`.
   */
  latest_seen?: CliVersion | null;
  /**
   * The newest version with a promoted claim.
   * Default: `null`.
   */
  latest_verified?: CliVersion | null;
  /**
   * For people.
   * Default: `[]`.
   */
  notes?: Array<string>;
  /** The observations that it rests on, sorted. */
  observations?: Array<ObservationPath>;
  /** The shapes that were really seen. Never a source-derived, documented or synthetic one. */
  observed_shapes: Array<ObservedShape>;
  /** Where it holds. */
  platforms: Array<Platform>;
  /** What a host does by default. */
  policy?: MatrixPolicy | null;
  /** The dialects that it is about. */
  protocol_families: Array<CapturedFamily>;
  /**
   * Several shapes that one version has.
   * Default: `[]`.
   */
  server_variants?: Array<ServerVariant>;
  /** After this moment the claim is stale. The reader judges, with its own clock. */
  stale_after?: UtcTime | null;
  /** What is claimed. */
  support_status: SupportStatus;
  /** Ranges of semantic versions, or exact versions, any of which it holds for. */
  version_ranges: Array<VersionRange>;
}

/** What a host does by default. */
export interface MatrixPolicy {
  /** `warn` when it is left out, `block` for `too_old`, `known_breaking` and `known_breaking_shape`. */
  allow_run?: AllowRun;
}

/** A type that is declared elsewhere, or under another name, with the same wire form. */
export interface Move {
  /** Where it was. */
  from: string;
  /** Where it is. */
  to: string;
  /** Its name; `Old -> New` when that changed too. */
  type: string;
  [member: string]: unknown;
}

/** What of the network the CLI can reach. */
export type Network = "provider" | "none" | "refuse_connections";

/**
 * A runtime capture. Source scans, vendor documents and synthetic fixtures are never observations: they have no child
 * process behind them. Member order is the order on disk.
 */
export interface Observation {
  /** A registered agent that is captured. */
  agent: AgentId;
  /** What was recorded, and where. */
  capture: Capture;
  /** The exact version that the runtime's own version probe gave. */
  cli_version: CliVersion;
  /** How it was started. */
  command: Command;
  /** Open to further members. */
  extensions?: ObservationExtensions;
  /** How the CLI got there. */
  install: Install;
  /**
   * What the parsers made of it.
   * Default: `{"open_design_commit":null,"status":"not_run"}`.
   */
  parser_replay?: ParserReplay;
  /** Where it ran. */
  platform: Platform;
  /** The probe that it was given. */
  probe: ProbeId;
  /** The dialect that it spoke; the agent's file declares it. */
  protocol_family: CapturedFamily;
  /** What made it publishable. */
  redaction: Redaction;
  /** Always 1. */
  schema_version: SchemaVersion;
  /** The structure that was seen. */
  shape: ShapeName;
  /** The level at which it was captured. Promotion records give a stronger one; this member never changes. */
  validity_level: ObservedLevel;
}

/** The known members are typed; any other member may stand beside them. */
export interface ObservationExtensions {
  /** What this run says about queued risks. */
  answers?: Array<Answer>;
  /** Where the run differs from production, one sentence each; empty when it does not. */
  deviations?: Array<Text>;
  /** What failed, where the probe is about a failure. */
  error?: ObservedError | null;
  /** What an auditor needs to get from the public record to the raw bytes. */
  evidence?: EvidenceRecord | null;
  /** How the CLI was kept apart from the machine. */
  isolation?: Isolation | null;
  /** The hash of the normaliser's profile that the shape was made with: `registry/profiles/sha256-….profile.json`. */
  profile?: Sha256 | null;
  /** Who answered the CLI's model requests. */
  provider?: Provider | null;
  /** The three versions that must agree. */
  versions?: Versions | null;
  /** How many frames of each type the profile calls volatile; they are in no shape. */
  volatile?: Record<string, number>;
  [member: string]: unknown;
}

/** Format: path of an observation such as observations/codex/0.133.0/linux-x64/2026-06-27T100000Z.chat-tool-success.0a1b2c3d.observation.json. */
export type ObservationPath = string;

/** An observation by file and hash. */
export interface ObservationRef {
  /** Its file. */
  path: ObservationPath;
  /** The hash of that file's bytes. */
  sha256: Sha256;
}

/** What failed in a run whose probe is about a failure. No text of the CLI stands here. */
export interface ObservedError {
  /** The error case that was made from it. */
  error_case?: RelPath | null;
  /** The frame that told it, in the grammar of shapes. */
  event_type?: Text | null;
  /** How the process ended. */
  exit_code?: number | null;
  /** The signal that ended it, as in `SIGKILL`. */
  signal?: Text | null;
  /** What standard error was about. */
  stderr_class?: StderrClass | null;
}

/** What may stand behind an observation. */
export type ObservedLevel = "runtime_observed" | "confirmed" | "community_confirmed" | "server_variant";

/** A shape that was seen. */
export interface ObservedShape {
  /** When it was last seen. */
  observed_at: UtcTime;
  /** Its hash. */
  shape: Sha256;
  /** Its effective level, decisions included. */
  validity_level: ObservedLevel;
}

/** The oldest version that a host should run, with the reason. */
export interface Oldest {
  /** That version; older ones are too old. */
  version: CliVersion;
  /** What older ones cannot do. It goes into the matrix. */
  why: Text;
}

/** What a host does with what is known to break. */
export type OnBreaking = "block" | "warn";

/** `reports/alerts/KIND/AGENT/SUBJECT-ID8.entry.json`. Member order is the order on disk. */
export interface OutboxEntry {
  /** The agent. */
  agent: AgentId;
  /** The card, JSON. */
  card: TextRef;
  /** When it was first made, UTC. */
  created_at: UtcTime;
  /** The evidence records that it rests on, relative to the tree, sorted. */
  evidence: Array<EvidencePath>;
  /** Hash of kind, agent and subject: nothing that a later scan could change. */
  fingerprint: Sha256;
  /** The body of the issue, Markdown. */
  issue: TextRef;
  /** What it is about. */
  kind: AlertKind;
  /** Labels of the issue. */
  labels: Array<string>;
  /** Always 1. */
  schema_version: SchemaVersion;
  /** The worst of what is told. */
  severity: Severity;
  /** Where it stands. */
  state: OutboxState;
  /** The version or channel it is about. */
  subject: string;
  /** In one line. */
  title: string;
}

/** Where an alert stands. */
export type OutboxState = "pending" | "told" | "edited" | "dead" | "dropped";

/** What the parsers made of the fixture. */
export interface ParserReplay {
  /** What the parsers made of it, event by event. */
  golden?: GoldenPath | null;
  /**
   * The commit of the parsers.
   * Default: `null`.
   */
  open_design_commit?: GitCommit | null;
  /**
   * What it came to.
   * Default: `"not_run"`.
   */
  status?: ReplayStatus;
}

/** One JSON type at one path. */
export interface PathShape {
  /** In the notation of [`agent_contracts_wire::Path`]. */
  path: string;
  /**
   * The key is there whenever the object that it belongs to is. The same for every type of a union; never true for
   * items of a list and members of a map, which may be empty.
   */
  required: boolean;
  /** A JSON type that stands there. */
  type: PathType;
}

/** The JSON types, in alphabetic order, which is the order in a shape. */
export type PathType = "array" | "boolean" | "null" | "number" | "object" | "string" | "unknown";

/** A place in a file. Shown to people; never part of an identity. */
export interface Place {
  /** Path from the repository's or the package's root, `/`-separated. */
  file: string;
  /** Line, from 1. */
  line: number;
  [member: string]: unknown;
}

/** Where a CLI ran. `unknown` where nobody said. */
export type Platform = "darwin-arm64" | "darwin-x64" | "linux-x64" | "linux-arm64" | "win32-x64" | "unknown";

/**
 * `probes/ID/probe.json`: what the task is for and what a runner must do besides giving the prompt. Beside it stand
 * `prompt.md` (unless `task` is `command`), perhaps `fixture-files/`, and `expected-min-events.json` or
 * `env-policy.json`. Member order is the order on disk.
 */
export interface ProbeDefinition {
  /** What it finds out, in one sentence. */
  about: Text;
  /** The families that it makes sense for; empty for all of them. */
  families?: Array<CapturedFamily>;
  /** Which agents need it. */
  group: ProbeGroup;
  /** The name of the folder. */
  id: ProbeId;
  /** How the run should end. */
  outcome: ProbeOutcome;
  /**
   * How the model server should behave, as the name of a scenario; `null` where none is asked.
   * Default: `null`.
   */
  scenario?: ProbeId | null;
  /** Always 1. */
  schema_version: SchemaVersion;
  /** What the host does during the run, in order. */
  steps?: Array<HostStep>;
  /** What is asked of the CLI. */
  task: ProbeTask;
  /** How long the CLI may take, in seconds. */
  timeout_s: number;
}

/** Which agents need a probe. */
export type ProbeGroup = "minimum" | "high_risk";

/** Format: probe id in kebab-case such as chat-tool-success. */
export type ProbeId = string;

/** How a run should end. */
export type ProbeOutcome = "success" | "failure" | "either";

/** What is asked of the CLI: a command that needs no model, one prompt, or a session with several steps. */
export type ProbeTask = "command" | "prompt" | "session";

/** The `dir` of a process event. */
export type ProcessDir = "process";

/** What happened to the process. */
export interface ProcessEvent {
  /** Milliseconds since the start, never falling. */
  at_ms: number;
  /** Always `process`. */
  dir: ProcessDir;
  /** What happened. */
  event: ProcessEventKind;
  /** The code it ended with. */
  exit_code?: number | null;
  /** The signal that ended it. */
  signal?: string | null;
}

/** The events of a process. */
export type ProcessEventKind = "spawn" | "exit" | "timeout" | "kill";

/** `registry/profiles/sha256-….profile.json`. */
export interface Profile {
  /** The agent it was made for; `null` for what holds of a whole family. */
  agent?: string | null;
  /** As in `json-event-stream/v1`. */
  protocol_family: FamilyId;
  /** What the normaliser is told. */
  rules: Rules;
  /** Always 1. */
  schema_version: SchemaVersion;
  /** `sha256:` of the canonical JSON of this record without this member. */
  signature: Sha256;
}

/** The levels that a decision can give. */
export type PromotedLevel = "confirmed" | "community_confirmed";

/** One decision. Nothing is ever deleted: a decision is undone by another one. Member order is the order on disk. */
export interface Promotion {
  /** What was decided. */
  action: PromotionAction;
  /** The agent that it is about. */
  agent: AgentId;
  /** Who decided, on what. */
  attestation: Attestation;
  /** When it was decided. Later decisions win. */
  decided_at: UtcTime;
  /** Open to further members. */
  extensions?: Record<string, unknown>;
  /** Why, for people. */
  reason: Text;
  /** Always 1. */
  schema_version: SchemaVersion;
}

/** What was decided. */
export type PromotionAction = {
  /** What makes them independent of each other. */
  independence: Independence;
  kind: "promote";
  /** Those that get it, with what confirms them: at least two for `confirmed`. */
  observations: Array<ObservationRef>;
  /** Somebody else's reproduction. Required for `community_confirmed`. */
  reproduction?: HttpsUrl | null;
  /** The new level. */
  to: PromotedLevel;
} | {
  /** The version. */
  cli_version: CliVersion;
  kind: "server_variant";
  /** What showed them; at least one of each shape. */
  observations: Array<ObservationRef>;
  /**
   * Where; all platforms when it is empty.
   * Default: `[]`.
   */
  platforms?: Array<Platform>;
  /** The probe under which they differ. */
  probe: ProbeId;
  /** The dialect. */
  protocol_family: CapturedFamily;
  /** The shapes with what is known of each; at least two. */
  variants: Array<ServerVariant>;
} | {
  kind: "clear_server_variant";
  /** That record. */
  promotion: PromotionRef;
  /** The shape that is left. */
  shape: Sha256;
} | {
  /** What breaks, for people; it goes into the matrix. */
  breaks: Text;
  /** Files of the tree or addresses that show it. */
  evidence: Array<EvidenceLink>;
  kind: "known_breaking";
  /**
   * Where; all platforms when it is empty.
   * Default: `[]`.
   */
  platforms?: Array<Platform>;
  /** The dialect. */
  protocol_family: CapturedFamily;
  /** The shape that does not work; when it is left out, no shape of these versions does. */
  shape?: Sha256 | null;
  /** Which. */
  version_ranges: Array<VersionRange>;
} | {
  kind: "undo";
  /** That decision. */
  promotion: PromotionRef;
};

/** Format: path of a promotion such as registry/promotions/codex/2026-06-27T100000Z.0a1b2c3d.promotion.json. */
export type PromotionPath = string;

/** A decision by file and hash. */
export interface PromotionRef {
  /** Its file. */
  path: PromotionPath;
  /** The hash of that file's bytes. */
  sha256: Sha256;
}

/** Who answered the CLI's model requests. */
export type Provider = "loopback" | "account" | "none";

/** Who may see the raw bytes. */
export type RawVisibility = "private" | "public" | "discarded_after_redaction";

/** Ways from a root to a change. */
export interface ReachedBy {
  /** How many there are. */
  count: number;
  /** The shortest `(event, path)` pairs, sorted, at most 20. */
  first: Array<[string, string]>;
}

/** Where an alert stands at a sink. `sending` is written before the send: whoever finds it reads back before retrying. */
export type ReceiptState = "sending" | "told" | "waiting" | "dead" | "closed";

/** What made it publishable. */
export interface Redaction {
  /** How it ended. */
  status: RedactionStatus;
  /** The version of the redaction tool. */
  tool_version: Semver;
}

/** How redaction ended. Only what passed stands in the public tree. */
export type RedactionStatus = "passed" | "failed" | "manual_review_required";

/** A piece of a stream that is named instead of shown, such as the prompt of a probe. */
export interface RefChunk {
  /** Milliseconds since the start, never falling. */
  at_ms: number;
  /** What it was: `prompt`. */
  data_ref: string;
  /** Which way it went. */
  dir: FrameDirection;
  /** Over which pipe. */
  stream: Stream;
}

/** Format: path relative to the tree, made of plain names. */
export type RelPath = string;

/** One version of one agent, joined over its channels. */
export interface Release {
  /** Where it was seen, by channel (`npm:@openai/codex`). */
  channels: Record<string, ChannelRelease>;
  /** When we first saw it, UTC. */
  first_seen: UtcTime;
  /** Platforms that it should have a payload for and has none, sorted. */
  missing_platforms?: Array<string>;
  /** Platforms that have a payload, sorted; empty when no channel says. */
  platforms: Array<string>;
  /** Whether the agent's scheme calls it a prerelease. */
  prerelease: boolean;
  /** As the agent's scheme writes it, without tag prefix or platform suffix. */
  version: string;
  /** Withdrawn from every channel that had it (unpublished, yanked, tag deleted). */
  withdrawn: boolean;
}

/** Every version of one agent that any channel has shown. */
export interface ReleaseFile {
  /** The agent. */
  agent: AgentId;
  /** Its releases, newest first in the order of its scheme. */
  releases: Array<Release>;
  /** Always 1. */
  schema_version: SchemaVersion;
}

/** Who can repair it. */
export type RepairOwner = "policy_owner" | "provider_owner" | "client_environment" | "open_design" | "shared_boundary" | "unknown";

/** What a replay of the fixture through the parsers came to. */
export type ReplayStatus = "compatible" | "incompatible" | "not_run";

/** One message of an RPC. */
export interface RpcFrame {
  /** Milliseconds since the start, never falling. */
  at_ms: number;
  /** Which way it went. */
  dir: FrameDirection;
  /** The message, sanitised. */
  frame: Record<string, unknown>;
  /** Over which pipe. */
  stream: Stream;
}

/**
 * What the normaliser is told. Event types may hold `*` for any run of characters; a nested tag in brackets must be
 * among those of the event. Paths are those of shapes; `[]` stands for all items of a list, whatever their tag.
 */
export interface Rules {
  /** Frames that come at any place: kept, sorted after the ordered ones. */
  floating?: Array<string>;
  /** Members that come or stay away by account, network or machine, as paths: left out. */
  ignored?: Array<string>;
  /** Names whose values are part of the protocol and are kept. */
  kept?: Array<string>;
  /** Objects whose keys are data, as paths. */
  maps?: Array<string>;
  /** Lists and objects that are not looked into (tools, commands, models, arguments of tools), as paths. */
  opaque?: Array<string>;
  /**
   * Nested tags that are part of the event type, as paths (`item.type`). Where a frame has no tag of its own, the
   * first of them that it has is its name.
   */
  tags?: Array<string>;
  /** Frames that come or stay away by account, network or machine: not in the shape. */
  volatile?: Array<string>;
}

/** The verdict of the classifier: five members that every copy writes, and those of its later versions. */
export interface RunFailureClassification {
  /** Where in the admission it stood; its values were not seen. */
  admission_phase?: Text | null;
  /** Whether a policy admitted the run; its values were not all seen. */
  admission_status?: Text | null;
  /** Who cancelled it. */
  cancel_origin?: CancelOrigin | null;
  /** Which classifier wrote the members below. */
  classifier_version?: ClassifierVersion | null;
  /** What the verdict rests on. */
  evidence_level?: EvidenceLevel | null;
  /** What kind of failure it is. */
  failure_category: FailureCategory;
  /** What exactly failed. */
  failure_detail: FailureDetail;
  /** On whose side it failed. */
  failure_domain?: FailureDomain | null;
  /** By which mechanism it failed. */
  failure_mechanism?: FailureMechanism | null;
  /** When it failed. */
  failure_stage: FailureStage;
  /** Why a policy refused it; its values were not seen. */
  policy_reason?: Text | null;
  /** Who can repair it. */
  repair_owner?: RepairOwner | null;
  /** Whether the same run may be tried again. */
  retryable: boolean;
  /** What ended it. */
  terminal_trigger?: TerminalTrigger | null;
  /** What the person can do. */
  user_action: UserAction;
}

/** How a run ended, to the classifier. */
export type RunResult = "success" | "failed" | "cancelled";

/** The daemon's status of a run, as far as the classifier reads it. */
export interface RunStatus {
  /** The message. */
  error?: string | null;
  /** The code. */
  errorCode?: Text | null;
  /** The signal that ended the child. */
  signal?: Text | null;
  /** Its word for it. */
  status: Text;
}

/** Always 1. A higher one is refused unless a migration is registered. */
export type SchemaVersion = 1;

/** Format: semantic version such as 0.1.0. */
export type Semver = string;

/** One of several shapes of a version. */
export interface ServerVariant {
  /** Its hash. */
  shape: Sha256;
  /** What is known of it. */
  status: VariantStatus;
}

/** How much an unchanged host suffers. Ordered: `None < Additive < Risky < Breaking`. */
export type Severity = "none" | "additive" | "risky" | "breaking";

/** Format: hash, written `sha256:` and 64 lowercase hex digits. */
export type Sha256 = string;

/** The canonical structure of a transcript or of the wire types of one version. Member order is the order on disk. */
export interface Shape {
  /** Every event type of the frames, sorted, once each. */
  event_types: Array<string>;
  /** How the process ended. */
  exit: Exit;
  /** How many frame classes there are. */
  frame_count: number;
  /** The frame classes. Of a transcript in the order of first occurrence, of source sorted. */
  frame_shapes: Array<FrameShape>;
  /** As in `json-event-stream/v1`. */
  protocol_family: FamilyId;
  /** Always 1. */
  schema_version: SchemaVersion;
  /**
   * `sha256:` of the canonical JSON of this record without this member and `validity_level`: a promotion must not
   * rename a shape.
   */
  signature: Sha256;
  /**
   * What standard error was about.
   * Default: `"none"`.
   */
  stderr_class?: StderrClass;
  /** How its frames are cut. */
  transport: Transport;
  /** Of the strongest evidence for it. */
  validity_level: Validity;
}

/** A shape by name and place. */
export interface ShapeName {
  /** Its file. */
  path: ShapePath;
  /** Its hash. */
  signature: Sha256;
}

/** Format: path of a shape such as shapes/FAMILY/sha256-DIGITS.shape.json. */
export type ShapePath = string;

/** A shape by name and place. */
export interface ShapeRef {
  /** Its file, relative to the tree. */
  path: ShapePath;
  /** Its hash. */
  signature: Sha256;
}

/** Where alerts are told. */
export type Sink = "github" | "feishu";

/**
 * Non-runtime evidence: what the code, a vendor's document or a hand-made fixture says. Member order is the order on
 * disk.
 */
export interface SourceEvidence {
  /** A registered agent. */
  agent: AgentId;
  /**
   * The newer version of the step; `unknown` when a source has none.
   * Default: `"unknown"`.
   */
  cli_version?: string;
  /** The shape of the newer version. */
  derived_shape: ShapeRef;
  /** When it was first derived, UTC. No part of the record's identity. */
  discovered_at: UtcTime;
  /**
   * Open to further members.
   * Default: `{"degraded_total":0,"extractor":"","findings":[],"identity":"","unresolved_total":0}`.
   */
  extensions?: Extensions;
  /** As in `json-event-stream/v1`. */
  protocol_family: FamilyId;
  /** Always 1. */
  schema_version: SchemaVersion;
  /** Where it was read: sources, commits, file paths, document addresses. Never empty, never a private endpoint. */
  source_refs: Array<string>;
  /** One of the three levels behind which nothing ran. */
  validity_level: SourceLevel;
}

/** The levels behind which nothing ran, for the JSON Schema. */
export type SourceLevel = "source_derived" | "vendor_documented" | "synthetic_mock";

/** How the findings of a step stand. */
export type Standing = "open" | "nothing_to_settle";

/** What standard error was about. */
export type StderrClass = "none" | "diagnostic" | "auth" | "quota" | "upstream" | "protocol" | "debug" | "unknown";

/** How the prompt and further input reach the CLI. */
export type StdinMode = "none" | "text-prompt" | "jsonl-open" | "prompt-file" | "rpc";

/** Two neighbouring versions. */
export interface Step {
  /** The older one. */
  from: StepSide;
  /** The newer one. */
  to: StepSide;
}

/** One side of a step. */
export interface StepSide {
  /** The commit that was read. */
  commit?: string | null;
  /** How many files of the scope it has. */
  files: number;
  /** Where it was read, by its public name: `git:openai/codex@rust-v0.42.0`, `npm:@scope/name@1.0.0`. */
  source: string;
  /** How many types were read from them. */
  types: number;
  /** As the agent's scheme writes it. */
  version: string;
}

/** The pipes. */
export type Stream = "stdin" | "stdout" | "stderr";

/** The policy of an agent in the support matrix. It never makes a version verified. */
export interface SupportDef {
  /**
   * A range may span releases that nobody ran, when the versions at both ends have the same shape. Semantic versions
   * only.
   */
  bridge?: boolean;
  /** Protocol families that the release gate does not ask for, with the reason. */
  exempt?: Record<string, string>;
  /** What a host does with a version or shape that is known to break. */
  known_breaking?: OnBreaking;
  /** The oldest version that a host should run. */
  oldest?: Oldest | null;
}

/** `registry/support-matrix.json`. Member order is the order on disk. */
export interface SupportMatrix {
  /** One entry per agent, family, range, platforms and status, sorted. */
  agents: Array<MatrixEntry>;
  /** The time of the newest input, so that generating it again gives the same bytes. */
  generated_at: UtcTime;
  /**
   * The lowest commit of `OpenDesign` that consumed this matrix.
   * Default: `null`.
   */
  open_design_min_commit?: GitCommit | null;
  /** Always 1. */
  schema_version: SchemaVersion;
}

/** What is claimed about a version. The same words as in the compatibility answer. */
export type SupportStatus = "local_shape_verified" | "version_range_verified" | "server_variant_possible" | "newer_than_verified" | "too_old" | "known_breaking" | "known_breaking_shape" | "active_shape_unknown" | "unknown";

/** What ended the run. */
export type TerminalTrigger = "user_stop" | "project_cleanup" | "daemon_shutdown" | "unknown" | "first_output_deadline" | "inactivity_watchdog" | "daemon_restart" | "acp_stage_timeout";

/** Format: text that is not blank. */
export type Text = string;

/** A text in a file of its own, so that people can read it. */
export interface TextRef {
  /** Relative to the tree. */
  path: RelPath;
  /** Its hash: what was sent can be told from what stands there now. */
  sha256: Sha256;
}

/** One line of a transcript. */
export type TranscriptLine = DataChunk | RefChunk | RpcFrame | ProcessEvent;

/** How the frames of a family are cut and addressed; the words of shapes. */
export type Transport = "plain" | "jsonl" | "json" | "json-rpc" | "pi-rpc";

/** Something that could not be resolved. */
export interface Unresolved {
  /** Where. */
  place: Place;
  /** What, in the source's own words, shortened. */
  what: string;
  [member: string]: unknown;
}

/** What the person can do. */
export type UserAction = "retry" | "login" | "recharge" | "upgrade" | "switch_model" | "reduce_context" | "install_cli" | "fix_config" | "none";

/** Format: UTC time such as 2026-06-27T10:00:00Z. */
export type UtcTime = string;

/** What stands behind a record. */
export type Validity = "runtime_observed" | "confirmed" | "community_confirmed" | "server_variant" | "source_derived" | "vendor_documented" | "synthetic_mock";

/** What is known of one of several shapes. */
export type VariantStatus = "compatible" | "compatible_pending_fixture" | "breaking";

/** What a comparison came to. */
export type Verdict = "changes" | "no_protocol_change" | "inconclusive";

/** Format: exact version or range such as >=0.133.0 <0.140.0. */
export type VersionRange = string;

/** How the versions of an agent are written and ordered. */
export type VersionScheme = "semver" | "pep440" | "calver" | "epoch-hash";

/** The three versions of one install. They must agree, or the capture is discarded. */
export interface Versions {
  /**
   * What the package's manifest says; none where there is no manifest.
   * Default: `null`.
   */
  manifest?: CliVersion | null;
  /** What the binary says. */
  probed: CliVersion;
  /** What was asked for. */
  requested: CliVersion;
}

/** How far an installed CLI is verified. */
export type AgentCliCompatibilityStatus = SupportStatus;
