//! Closed sets of words.

/// An enum whose variants are words of a record: reads and writes them, lists them, and is closed in the JSON Schema.
macro_rules! words {
    ($($(#[$about:meta])* $name:ident { $($variant:ident = $word:literal),* $(,)? })*) => {$(
        $(#[$about])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash,
            serde::Serialize, serde::Deserialize, schemars::JsonSchema,
        )]
        #[allow(missing_docs, clippy::allow_attributes, reason = "the words say it; those without a comment are the specification's")]
        pub enum $name {
            $(#[serde(rename = $word)] $variant,)*
        }

        impl $name {
            /// Every word.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// As records write it.
            #[must_use]
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }
    )*};
}

pub(crate) use words;
