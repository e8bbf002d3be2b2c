package io.tidegate.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * A process that dies after so many statements of scripts. Its connection breaks, whatever it has committed by then.
 */
final class DyingProcess {
    private final String url;
    private int statementsLeft;
    private final String statementEnd;
    private boolean dead;

    DyingProcess(String url, int statements) {
        this.url = url;
        this.statementsLeft = statements;
        // MariaDB and PostgreSQL get a script in one call, and MariaDB commits each of its statements all the same
        this.statementEnd = url.startsWith("jdbc:h2:") ? ";\\s*\n" : "(?!)";
    }

    /** Whether the process died before it came to its end. */
    boolean isDead() {
        return dead;
    }

    DataSource dataSource() {
        return proxy(DataSource.class, (self, method, arguments) -> connection(open()));
    }

    private Connection open() throws SQLException {
        return url.startsWith("jdbc:h2:")
                ? DriverManager.getConnection(url, "sa", "")
                : DriverManager.getConnection(url);
    }

    private Connection connection(Connection real) {
        return proxy(Connection.class, (self, method, arguments) -> {
            Object answer = call(real, method, arguments);
            return answer instanceof Statement statement && method.getName().equals("createStatement")
                    ? statement(real, statement)
                    : answer;
        });
    }

    private Statement statement(Connection connection, Statement real) {
        return proxy(Statement.class, (self, method, arguments) -> {
            if (!method.getName().equals("execute")) {
                return call(real, method, arguments);
            }
            for (String sql : arguments[0].toString().split(statementEnd)) {
                if (statementsLeft-- == 0) {
                    dead = true;
                    connection.close();
                    throw new SQLException("died");
                }
                real.execute(sql);
            }
            return false;
        });
    }

    private static Object call(Object real, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler calls) {
        return type.cast(Proxy.newProxyInstance(DyingProcess.class.getClassLoader(), new Class<?>[] {type}, calls));
    }
}
