//! How a host classifies a run that failed: `RunFailureClassification`, by the words of `OpenDesign`'s classifier
//! (its enums of mid-2026, with the values that only its newer copies have).

use agent_contracts_wire::formats::Text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::words::words;

words! {
    /// What kind of failure it is.
    FailureCategory {
        Auth = "auth", RateLimit = "rate_limit", InsufficientBalance = "insufficient_balance",
        EntitlementRequired = "entitlement_required", ModelUnavailable = "model_unavailable",
        PromptTooLarge = "prompt_too_large", UpstreamUnavailable = "upstream_unavailable", Timeout = "timeout",
        EmptyOutput = "empty_output", ToolError = "tool_error", ProcessExit = "process_exit",
        UserCancel = "user_cancel", Unknown = "unknown",
    }

    /// What exactly failed.
    FailureDetail {
        AuthRequired = "auth_required", StaleProfile = "stale_profile", RefreshTokenReused = "refresh_token_reused",
        MissingApiKey = "missing_api_key", InvalidApiKey = "invalid_api_key", HardQuota = "hard_quota",
        ModelWindowLimit = "model_window_limit", WorkspaceCreditsExhausted = "workspace_credits_exhausted",
        RateLimit429 = "rate_limit_429", AmrInsufficientBalance = "amr_insufficient_balance",
        AmrTierUpgradeRequired = "amr_tier_upgrade_required", ModelNotFound = "model_not_found",
        ModelNotSupported = "model_not_supported", ModelDisabled = "model_disabled",
        LocalModelNotLoaded = "local_model_not_loaded", CliVersionIncompatible = "cli_version_incompatible",
        PromptTooLarge = "prompt_too_large", RequestTooLarge = "request_too_large",
        AttachmentMediaTypeUnsupported = "attachment_media_type_unsupported", ToolSchemaInvalid = "tool_schema_invalid",
        PromptTokenizationFailed = "prompt_tokenization_failed",
        ProviderResourceNotFound = "provider_resource_not_found", Upstream5xx = "upstream_5xx",
        UpstreamClientError = "upstream_client_error", StreamDisconnected = "stream_disconnected",
        NetworkError = "network_error", ProviderHighDemand = "provider_high_demand",
        ProviderRoutingError = "provider_routing_error", InactivityTimeout = "inactivity_timeout", Timeout = "timeout",
        EmptyOutput = "empty_output", ToolError = "tool_error", PluginArtifactMissing = "plugin_artifact_missing",
        CliNotInstalled = "cli_not_installed", GitBashMissing = "git_bash_missing",
        AgentConfigInvalid = "agent_config_invalid", SpawnFailed = "spawn_failed", SpawnEnoexec = "spawn_enoexec",
        SpawnEbadf = "spawn_ebadf", SpawnEperm = "spawn_eperm", StdinWriteEof = "stdin_write_eof",
        AgentProtocolError = "agent_protocol_error", SessionResumeExpired = "session_resume_expired",
        FabricatedRoleMarker = "fabricated_role_marker", PermissionRequestNotFound = "permission_request_not_found",
        QoderStopSequence = "qoder_stop_sequence", SignalKilled = "signal_killed", ProcessCrashed = "process_crashed",
        CpuUnsupported = "cpu_unsupported", Interrupted = "interrupted", ExitCode = "exit_code",
        TerminatedUnknown = "terminated_unknown", StreamError = "stream_error", ExitNonzero = "exit_nonzero",
        FatalRpcError = "fatal_rpc_error", ExecutionFailed = "execution_failed", UserCancelled = "user_cancelled",
        Unknown = "unknown", AccountSuspended = "account_suspended", RegionNotSupported = "region_not_supported",
        CredentialRefreshContention = "credential_refresh_contention",
        MembershipConcurrencyLimit = "membership_concurrency_limit",
        ContinuationIncomplete = "continuation_incomplete", BundledBinaryMissing = "bundled_binary_missing",
        AcpFrameTooLarge = "acp_frame_too_large", HostPolicyBlock = "host_policy_block",
        LocalStorageFailure = "local_storage_failure", CertificateFailure = "certificate_failure",
        ProxyConfiguration = "proxy_configuration", NetworkConfiguration = "network_configuration",
    }

    /// When it failed: `TrackingRunFailureStage`.
    FailureStage {
        Preflight = "preflight", Spawn = "spawn", SessionInit = "session_init", ModelSelect = "model_select",
        PromptSend = "prompt_send", FirstTokenWait = "first_token_wait", ToolExecution = "tool_execution",
        ToolOutstanding = "tool_outstanding", PostToolResume = "post_tool_resume", ArtifactWrite = "artifact_write",
        ChildClose = "child_close", Finalize = "finalize",
    }

    /// What the person can do.
    UserAction {
        Retry = "retry", Login = "login", Recharge = "recharge", Upgrade = "upgrade", SwitchModel = "switch_model",
        ReduceContext = "reduce_context", InstallCli = "install_cli", FixConfig = "fix_config", None = "none",
    }

    /// Which classifier wrote the optional members.
    ClassifierVersion {
        V2 = "run-failure-v2", V3 = "run-failure-v3",
    }

    /// By which mechanism it failed.
    FailureMechanism {
        PolicyRejection = "policy_rejection", ProviderRejection = "provider_rejection",
        TransportFailure = "transport_failure", FrameTooLarge = "frame_too_large",
        ProtocolViolation = "protocol_violation", EmptyCompletion = "empty_completion",
        StreamIdleTimeout = "stream_idle_timeout", PostToolResumeTimeout = "post_tool_resume_timeout",
        AcpResponseDeadline = "acp_response_deadline", StartupReadinessTimeout = "startup_readiness_timeout",
        FirstOutputDeadline = "first_output_deadline", ToolExecutionFailure = "tool_execution_failure",
        ChildExit = "child_exit", Unknown = "unknown",
    }

    /// On whose side it failed.
    FailureDomain {
        PolicyAdmission = "policy_admission", ProviderControlPlane = "provider_control_plane",
        CrossBoundary = "cross_boundary", ClientEnvironment = "client_environment", ClientProduct = "client_product",
        Unknown = "unknown",
    }

    /// What the verdict rests on.
    EvidenceLevel {
        StructuredCode = "structured_code", LifecycleSignal = "lifecycle_signal", LegacyText = "legacy_text",
        ProtocolError = "protocol_error", StderrFallback = "stderr_fallback", CloseReason = "close_reason",
        Unknown = "unknown",
    }

    /// Who can repair it.
    RepairOwner {
        PolicyOwner = "policy_owner", ProviderOwner = "provider_owner", ClientEnvironment = "client_environment",
        OpenDesign = "open_design", SharedBoundary = "shared_boundary", Unknown = "unknown",
    }

    /// Who cancelled.
    CancelOrigin {
        UserStop = "user_stop", ProjectCleanup = "project_cleanup", DaemonShutdown = "daemon_shutdown",
        Unknown = "unknown",
    }

    /// What ended the run.
    TerminalTrigger {
        UserStop = "user_stop", ProjectCleanup = "project_cleanup", DaemonShutdown = "daemon_shutdown",
        Unknown = "unknown", FirstOutputDeadline = "first_output_deadline",
        InactivityWatchdog = "inactivity_watchdog", DaemonRestart = "daemon_restart",
        AcpStageTimeout = "acp_stage_timeout",
    }

    /// How a run ended, to the classifier.
    RunResult {
        Success = "success", Failed = "failed", Cancelled = "cancelled",
    }
}

/// The verdict of the classifier: five members that every copy writes, and those of its later versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunFailureClassification {
    /// What kind of failure it is.
    pub failure_category: FailureCategory,
    /// What exactly failed.
    pub failure_detail: FailureDetail,
    /// When it failed.
    pub failure_stage: FailureStage,
    /// Whether the same run may be tried again.
    pub retryable: bool,
    /// What the person can do.
    pub user_action: UserAction,
    /// Which classifier wrote the members below.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classifier_version: Option<ClassifierVersion>,
    /// By which mechanism it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure_mechanism: Option<FailureMechanism>,
    /// On whose side it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure_domain: Option<FailureDomain>,
    /// What the verdict rests on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence_level: Option<EvidenceLevel>,
    /// Who can repair it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repair_owner: Option<RepairOwner>,
    /// Whether a policy admitted the run; its values were not all seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub admission_status: Option<Text>,
    /// Where in the admission it stood; its values were not seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub admission_phase: Option<Text>,
    /// Why a policy refused it; its values were not seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy_reason: Option<Text>,
    /// Who cancelled it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancel_origin: Option<CancelOrigin>,
    /// What ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terminal_trigger: Option<TerminalTrigger>,
}

/// One event that the host's daemon would send to its clients.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DaemonEvent {
    /// Its name: `start`, `agent`, `stderr`, `error`, `diagnostic`, …
    pub event: Text,
    /// What it carries.
    pub data: Value,
}
