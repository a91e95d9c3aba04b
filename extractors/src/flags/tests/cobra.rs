//! cobra and pflag.

use crate::flags::testing::{model, model_of, prefixes, print, print_file};

/// The flags that statements in `init` declare.
fn statements(text: &str) -> String {
    let file = format!(
        "package cmd\nimport \"github.com/spf13/cobra\"\nconst name = \"named\"\nvar rootCmd = &cobra.Command{{Use: \"acme\"}}\nvar runCmd = &cobra.Command{{Use: \"run [prompt...]\"}}\nfunc init() {{\nrootCmd.AddCommand(runCmd)\n{text}\n}}\n"
    );
    print_file("cmd/root.go", &file).trim_end().to_owned()
}

#[test]
fn calls() {
    for (text, expected) in [
        (
            "rootCmd.Flags().BoolP(\"yolo\", \"y\", false, \"Accept\")",
            "--yolo -y =false",
        ),
        (
            "rootCmd.PersistentFlags().String(\"data-dir\", \"\", \"x\")",
            "--data-dir <one> = inherited",
        ),
        (
            "rootCmd.Flags().StringVarP(&x, \"host\", \"H\", server.DefaultHost(), \"x\")",
            "--host -H <one>",
        ),
        (
            "rootCmd.Flags().IntP(\"tail\", \"t\", 1000, \"x\")",
            "--tail -t <one> =1000",
        ),
        (
            "rootCmd.Flags().Uint16(\"width\", uint16(80), \"x\")",
            "--width <one> =80",
        ),
        (
            "rootCmd.Flags().StringSlice(\"tags\", []string{\"a\", \"b\"}, \"x\")",
            "--tags <many> =a,b",
        ),
        (
            "rootCmd.Flags().StringArrayVar(&x, \"tags\", nil, \"x\")",
            "--tags <many>",
        ),
        ("rootCmd.Flags().CountP(\"verbose\", \"v\", \"x\")", "--verbose -v"),
        ("rootCmd.Flags().Var(&x, \"level\", \"x\")", "--level <unknown>"),
        ("rootCmd.Flags().Bool(name, false, \"x\")", "--named =false"),
        (
            "rootCmd.Flags().Bool(\"old\", false, \"Deprecated: use --new\")",
            "--old =false deprecated",
        ),
        (
            "rootCmd.Flags().Bool(\"a\", false, \"x\")\nrootCmd.Flags().MarkDeprecated(\"a\", \"use b\")",
            "--a =false deprecated",
        ),
        (
            "rootCmd.Flags().Bool(\"a\", false, \"x\")\nif err := rootCmd.Flags().MarkHidden(\"a\"); err != nil { panic(err) }",
            "--a =false hidden",
        ),
        (
            "rootCmd.Flags().String(\"a\", \"\", \"x\")\nrootCmd.Flags().Lookup(\"a\").NoOptDefVal = \"yes\"",
            "--a [optional] =",
        ),
        (
            "rootCmd.Flags().Bool(\"a\", false, \"x\")\nrunCmd.Flags().Bool(\"a\", false, \"x\")\nrunCmd.Flags().MarkHidden(\"a\")",
            "--a =false\nrun: --a =false hidden",
        ),
        (
            "fs := runCmd.PersistentFlags()\nfs.Bool(\"a\", false, \"x\")\nfs.MarkHidden(\"a\")",
            "run: --a =false inherited hidden",
        ),
        ("quiet, _ := rootCmd.Flags().GetBool(\"quiet\")", ""),
        (
            "rootCmd.Flags().Bool(compute(), false, \"x\")",
            "? the name of a flag: rootCmd.Flags().Bool(compute(), false, \"x\")",
        ),
        (
            "for _, n := range []string{\"a\", \"b\"} { rootCmd.Flags().Bool(n, false, \"x\") }",
            "--a =false\n--b =false",
        ),
        (
            "for n, u := range map[string]string{\"a\": \"x\", \"b\": \"DEPRECATED\"} { rootCmd.Flags().Bool(n, false, u) }",
            "--a =false\n--b =false deprecated",
        ),
    ] {
        assert_eq!(statements(text), expected, "{text}");
    }
}

#[test]
fn tables_are_read_row_by_row() {
    let text = r#"package server
import "github.com/spf13/cobra"
type flagSpec struct {
	name, shorthand string
	defaultValue    any
	flagType        string
}
const FlagPort = "port"
func CreateServerCmd() *cobra.Command {
	serverCmd := &cobra.Command{Use: "server [agent]"}
	specs := []flagSpec{
		{"type", "t", "", "string"},
		{FlagPort, "p", 3284, "int"},
		{name: "hosts", defaultValue: []string{"localhost"}, flagType: "slice"},
		{"odd", "", false, "?"},
	}
	for _, spec := range specs {
		switch spec.flagType {
		case "string":
			serverCmd.Flags().StringP(spec.name, spec.shorthand, spec.defaultValue.(string), "x")
		case "int", "uint":
			serverCmd.Flags().IntP(spec.name, spec.shorthand, spec.defaultValue.(int), "x")
		case "slice":
			serverCmd.Flags().StringSliceP(spec.name, spec.shorthand, spec.defaultValue.([]string), "x")
		default:
			serverCmd.Flags().VarP(nil, spec.name, spec.shorthand, "x")
		}
	}
	for _, row := range []struct { name string; usage string }{{"a", "x"}, {"b", "x"}} {
		serverCmd.Flags().Bool(row.name, false, row.usage)
	}
	for _, spec := range specs {
		switch value := spec.defaultValue.(type) {
		case int:
			serverCmd.Flags().Int("n-"+spec.name, value, "x")
		}
	}
	return serverCmd
}
"#;
    insta::assert_snapshot!(print_file("cmd/server/server.go", text), @r"
    server: --a =false
    server: --b =false
    server: --hosts <many> =localhost
    server: --n-port <one>
    server: --odd <unknown>
    server: --port -p <one> =3284
    server: --type -t <one> =
    ");
}

const PROGRAM: [(&str, &str); 4] = [
    (
        "main.go",
        "package main\nimport (\n\"github.com/spf13/cobra\"\n\"acme.io/acme/server\"\n\"acme.io/acme/session\"\n)\nfunc main() { root := &cobra.Command{Use: \"acme\"}\nroot.AddCommand(server.NewServerCmd(), session.Cmd)\nroot.PersistentFlags().BoolP(\"debug\", \"d\", false, \"x\")\nroot.Execute() }",
    ),
    (
        "server/server.go",
        "package server\nimport \"github.com/spf13/cobra\"\nfunc NewServerCmd() *cobra.Command {\ncmd := &cobra.Command{Use: \"server\"}\naddCommon(cmd)\ncmd.AddCommand(newStop())\nreturn cmd\n}\nfunc newStop() *cobra.Command {\ncmd := &cobra.Command{Use: \"stop\"}\naddCommon(cmd)\nreturn cmd\n}\nfunc addCommon(cmd *cobra.Command) { cmd.Flags().Int(\"port\", 80, \"x\"); more(cmd.Flags()) }\nfunc more(fs *pflag.FlagSet) { fs.Bool(\"tls\", true, \"x\") }",
    ),
    (
        "session/session.go",
        "package session\nimport \"github.com/spf13/cobra\"\nvar Cmd = &cobra.Command{Use: \"session\"}\nvar listCmd = &cobra.Command{Use: \"list\", Aliases: []string{\"ls\"}}",
    ),
    (
        "session/list.go",
        "package session\nimport \"github.com/spf13/cobra\"\nfunc init() { Cmd.AddCommand(listCmd) }\nfunc init() { listCmd.Flags().Bool(\"json\", false, \"x\") }",
    ),
];

#[test]
fn commands_are_joined_over_packages() {
    insta::assert_snapshot!(print(&model(&PROGRAM)), @r"
    --debug -d =false inherited
    server: --port <one> =80
    server: --tls =true
    server stop: --port <one> =80
    server stop: --tls =true
    session list: --json =false
    ");
    // The command of a flag is known from files beyond the scope.
    assert_eq!(
        print(&model_of(&PROGRAM, &["session/list.go"])),
        "session list: --json =false\n"
    );
}

#[test]
fn the_flag_package_of_go() {
    let text = "package main\nimport \"flag\"\nvar addr = flag.String(\"addr\", \":8080\", \"x\")\nfunc main() { flag.BoolVar(&v, \"v\", false, \"x\") }";
    assert_eq!(print_file("main.go", text), "--addr <one> =:8080\n--v =false\n");
}

#[test]
fn cut_files_are_read() {
    for (path, text) in &PROGRAM {
        prefixes(path, text);
    }
}
